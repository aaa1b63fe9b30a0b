import type { Response } from 'express'

/** How an open stream is told that the service stops: it may send a last frame, then it ends its response. */
type EndStream = () => void | Promise<void>

/** Event streams that are open, so that a stopping service can end each of them cleanly. */
export class OpenStreams {
  readonly #streams = new Map<Response, EndStream>()

  get size(): number {
    return this.#streams.size
  }

  /** Keeps a stream until its response is closed. */
  add(response: Response, end: EndStream): void {
    this.#streams.set(response, end)
    response.once('close', () => this.#streams.delete(response))
  }

  /** Ends all of them. One that fails to say goodbye is cut off. */
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
