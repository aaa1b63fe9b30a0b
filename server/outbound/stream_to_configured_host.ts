import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { ConfiguredHostError, type ConfiguredHostResponse } from './post_to_configured_host.ts'
import { PROGRAM } from './user_agent.ts'

interface StreamPost {
  /** The host may be private: it comes from a setting, never from a request or from content. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: AsyncIterable<Uint8Array>
  readonly byteLength: number
  /** The time limit until the last byte of the response. */
  readonly milliseconds: number
  /** The maximum size of the response. */
  readonly bytesMax: number
}

/**
 * Posts bytes to a host in the operator's settings, as fast as it accepts them. Redirects are not followed.
 * @throws ConfiguredHostError, or the reason of `signal`
 */
export async function streamToConfiguredHost(post: StreamPost, signal: AbortSignal): Promise<ConfiguredHostResponse> {
  const timeout = AbortSignal.timeout(post.milliseconds)
  const failure = (): Error => {
    signal.throwIfAborted()
    return new ConfiguredHostError(timeout.aborted)
  }
  try {
    const response = await send(post, AbortSignal.any([signal, timeout]))
    return { status: response.statusCode ?? 0, bytes: bytesOf(response, post.bytesMax, failure) }
  } catch (error) {
    throw error instanceof SourceBrokenError ? error.cause : failure()
  }
}

/** Thrown if the bytes to send cannot be read, which is not the fault of the host. */
class SourceBrokenError extends Error {}

async function send({ url, headers, bytes, byteLength }: StreamPost, signal: AbortSignal): Promise<IncomingMessage> {
  const { request: open } = url.startsWith('https:') ? await import('node:https') : await import('node:http')
  const source = Readable.from(bytes)
  return new Promise((resolve, reject) => {
    const request = open(url, {
      method: 'POST',
      agent: false,
      signal,
      headers: { ...headers, 'Content-Length': byteLength, 'User-Agent': PROGRAM },
    })
    request.on('response', (response) => {
      // A host that responds early does not want the rest of the bytes.
      source.destroy()
      resolve(response)
    })
    request.on('error', (error) => {
      source.destroy()
      reject(error)
    })
    source.on('error', (cause) => {
      reject(new SourceBrokenError('the source closed the connection before the end of the body', { cause }))
      request.destroy()
    })
    source.pipe(request)
  })
}

async function* bytesOf(
  response: IncomingMessage,
  bytesMax: number,
  failure: () => Error,
): AsyncGenerator<Uint8Array, void, undefined> {
  let remaining = bytesMax
  try {
    for await (const chunk of response as AsyncIterable<Uint8Array>) {
      remaining -= chunk.length
      if (remaining < 0) throw new RangeError('too many bytes')
      yield chunk
    }
  } catch {
    throw failure()
  } finally {
    response.destroy()
  }
}
