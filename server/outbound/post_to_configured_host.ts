import { PROGRAM } from './user_agent.ts'

/**
 * Thrown if a request to a host in the operator's settings fails. The message gives only the kind of failure: neither the request nor the
 * response may get into errors and logs.
 */
export class ConfiguredHostError extends Error {
  override readonly name = 'ConfiguredHostError'
  readonly hasTimedOut: boolean

  constructor(hasTimedOut: boolean) {
    super(hasTimedOut ? 'took too long' : 'cannot be reached, or closed the connection before its response was complete')
    this.hasTimedOut = hasTimedOut
  }
}

interface JsonPost {
  /** The host may be private: it comes from a setting, never from a request or from content. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly json: string
  /** The time limit until the last byte of the response. */
  readonly milliseconds: number
  readonly bytesMax: number
}

export interface ConfiguredHostResponse {
  readonly status: number
  /** @throws ConfiguredHostError while the bytes arrive: too late or too many of them, or the connection was reset */
  readonly bytes: AsyncIterable<Uint8Array>
}

/**
 * Posts JSON to a host in the operator's settings. Redirects are not followed: they could send the key to other hosts.
 * @throws ConfiguredHostError, or the reason of `signal`
 */
export async function postToConfiguredHost(post: JsonPost, signal: AbortSignal): Promise<ConfiguredHostResponse> {
  const timeout = AbortSignal.timeout(post.milliseconds)
  const request: RequestInit = {
    method: 'POST',
    headers: { ...post.headers, 'Content-Type': 'application/json', 'User-Agent': PROGRAM },
    body: post.json,
    redirect: 'manual',
    signal: AbortSignal.any([signal, timeout]),
  }
  const failure = (): Error => {
    signal.throwIfAborted()
    return new ConfiguredHostError(timeout.aborted)
  }
  const response = await fetch(post.url, request).catch(() => Promise.reject(failure()))
  return { status: response.status, bytes: bytesOf(response, post.bytesMax, failure) }
}

async function* bytesOf({ body }: Response, bytesMax: number, failure: () => Error): AsyncGenerator<Uint8Array, void, undefined> {
  if (body === null) return
  let remaining = bytesMax
  try {
    for await (const chunk of body) {
      remaining -= chunk.length
      if (remaining < 0) throw new RangeError('too many bytes')
      yield chunk
    }
  } catch {
    throw failure()
  }
}
