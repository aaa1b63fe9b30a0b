import type { Response } from 'express'

/** Notifies an open stream that the service is stopping; the stream may send a last frame and then ends its response. */
type EndStream = () => void | Promise<void>

/** The open event streams. A service that stops ends each of them cleanly. */
export class OpenStreams {
  readonly #streams = new Map<Response, EndStream>()

  get size(): number {
    return this.#streams.size
  }

  /** Adds a stream, which is removed when its response is closed. */
  add(response: Response, end: EndStream): void {
    this.#streams.set(response, end)
    response.once('close', () => this.#streams.delete(response))
  }

  /** Ends all streams. If a stream fails to end, its connection is closed. */
  async end(): Promise<void> {
    await Promise.all(
      [...this.#streams].map(async ([response, end]) => {
        try {
          await end()
        } catch {
          response.destroy()
        }
      }),
    )
  }
}
