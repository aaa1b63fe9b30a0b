import { Readable } from 'node:stream'
import { PROGRAM } from './user_agent.ts'

/**
 * A request to a host in the operator's settings failed. The message says only how: neither the request nor the response may get into
 * errors and logs.
 */
export class ConfiguredHostError extends Error {
  override readonly name = 'ConfiguredHostError'
  readonly isLate: boolean

  constructor(isLate: boolean) {
    super(isLate ? 'took too long' : 'cannot be reached, or broke off')
    this.isLate = isLate
  }
}

interface Post {
  /** May be private: it comes from a setting, never from a request or from content. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Stream
  /** Time limit, up to the last byte of the response. */
  readonly milliseconds: number
  /** Largest size of the response. */
  readonly bytesMax: number
}

interface Stream {
  readonly bytes: AsyncIterable<Uint8Array>
  /** How many bytes there are. */
  readonly byteLength: number
}

export interface ConfiguredHostResponse {
  readonly status: number
  /** @throws ConfiguredHostError while they arrive: too late, too many, or broken off */
  readonly bytes: AsyncIterable<Uint8Array>
}

/**
 * Posts a body to a host in the operator's settings, a stream as fast as the host accepts it. Redirects are not followed: they could send
 * the key to other hosts.
 * @throws ConfiguredHostError, the reason of `signal`, or what the stream throws
 */
export async function postToConfiguredHost(post: Post, signal: AbortSignal): Promise<ConfiguredHostResponse> {
  const { Agent, request } = await import('undici')
  const late = AbortSignal.timeout(post.milliseconds)
  const failure = (): Error => {
    signal.throwIfAborted()
    return new ConfiguredHostError(late.aborted)
  }
  const source = typeof post.body === 'string' ? undefined : new Source(post.body)
  try {
    const { statusCode, body } = await request(post.url, {
      method: 'POST',
      headers: { ...post.headers, ...source?.headers, 'User-Agent': PROGRAM },
      body: source ? Readable.from(source.bytes()) : String(post.body),
      signal: AbortSignal.any([signal, late]),
      // One connection for each request: one that was kept may have been closed by the host.
      dispatcher: new Agent({ pipelining: 0, headersTimeout: 0, bodyTimeout: 0 }),
    })
    return { status: statusCode, bytes: bytesOf(body, post.bytesMax, failure) }
  } catch {
    throw source?.failure ?? failure()
  }
}

/** The bytes to send. That they cannot be read is not the fault of the host. */
class Source {
  readonly headers: Readonly<Record<string, string>>
  readonly #stream: Stream
  failure: unknown

  constructor(stream: Stream) {
    this.#stream = stream
    this.headers = { 'Content-Length': String(stream.byteLength) }
  }

  async *bytes(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* this.#stream.bytes
    } catch (error) {
      this.failure = error
      throw error
    }
  }
}

async function* bytesOf(
  body: AsyncIterable<Uint8Array>,
  bytesMax: number,
  failure: () => Error,
): AsyncGenerator<Uint8Array, void, undefined> {
  let left = bytesMax
  try {
    for await (const chunk of body) {
      left -= chunk.length
      if (left < 0) throw new RangeError('too many bytes')
      yield chunk
    }
  } catch {
    throw failure()
  }
}
