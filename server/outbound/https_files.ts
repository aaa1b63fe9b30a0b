import { request as httpsRequest } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { addAbortSignal } from 'node:stream'
import { isPrivateHost, PrivateHostError, publicLookup } from './public_hosts.ts'
import { PROGRAM } from './user_agent.ts'

/** A failed request to another host. Its message completes the sentence "The address …". */
export class RemoteError extends Error {
  override readonly name = 'RemoteError'
  /** The status of its response; null if there was none. */
  readonly statusCode: number | null

  constructor(message: string, statusCode: number | null = null, cause?: unknown) {
    super(message, { cause })
    this.statusCode = statusCode
  }
}

interface RemoteFile {
  readonly contentType: string | undefined
  readonly contentLength: number | undefined
}

interface RemoteOptions {
  /** Hosts (`files.internal` or `files.internal:8443`) that may be reached even if their addresses are not public. */
  readonly allowedHosts: readonly string[]
  readonly userAgent?: string
  readonly timeouts?: Timeouts
}

/** Timeouts for another host, in milliseconds. */
export interface Timeouts {
  readonly inspect: number
  /** The longest pause between two bytes. */
  readonly idle: number
  readonly download: number
}

/** An upload expires after an hour, so downloading its file may not take longer. */
const DEFAULT_TIMEOUTS: Timeouts = { inspect: 10_000, idle: 30_000, download: 60 * 60 * 1000 }
const REDIRECTS_MAX = 5
const HEADER_BYTES_MAX = 16 * 1024
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const HEADERS = { Accept: '*/*', 'Accept-Encoding': 'identity' }

/** Fetches files from other hosts, over HTTPS and from public addresses only. */
export class HttpsFiles {
  readonly #options: Required<RemoteOptions>

  constructor({ allowedHosts, userAgent = PROGRAM, timeouts = DEFAULT_TIMEOUTS }: RemoteOptions) {
    this.#options = { allowedHosts, userAgent, timeouts }
  }

  /** Requests the headers of a file. @throws RemoteError */
  async inspect(url: string): Promise<RemoteFile> {
    const response = await this.#request('HEAD', url, AbortSignal.timeout(this.#options.timeouts.inspect))
    response.resume()
    return describe(response)
  }

  /** Requests a file. @throws RemoteError, even while the bytes arrive */
  async download(url: string, signal: AbortSignal): Promise<RemoteFile & { readonly bytes: AsyncIterable<Uint8Array> }> {
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(this.#options.timeouts.download)])
    const response = await this.#request('GET', url, bounded)
    return { ...describe(response), bytes: bytesOf(response) }
  }

  /** Requests a file, following redirects. Each redirect must obey the same rules. */
  async #request(method: 'HEAD' | 'GET', start: string, signal: AbortSignal): Promise<IncomingMessage> {
    let url = start
    for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
      const response = await this.#send(method, this.#checked(url), signal)
      const status = response.statusCode ?? 0
      if (status >= 200 && status < 300) return response
      response.destroy()
      const { location } = response.headers
      if (!REDIRECTS.has(status) || location === undefined) throw new RemoteError(`responded with ${status}`, status)
      if (!URL.canParse(location, url)) throw new RemoteError('redirects to an invalid address', status)
      url = new URL(location, url).href
    }
    throw new RemoteError(`redirects more than ${REDIRECTS_MAX} times`)
  }

  #checked(text: string): URL {
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (url?.protocol !== 'https:') throw new RemoteError('is not https')
    if (url.username !== '' || url.password !== '') throw new RemoteError('contains a user name or password')
    return url
  }

  #send(method: string, url: URL, signal: AbortSignal): Promise<IncomingMessage> {
    const isAllowed = this.#options.allowedHosts.some((host) => host === url.host || host === url.hostname)
    return new Promise((resolve, reject) => {
      if (!isAllowed && isPrivateHost(url.hostname)) return reject(new RemoteError('is not public'))
      const request = httpsRequest(url, {
        method,
        signal,
        headers: { ...HEADERS, 'User-Agent': this.#options.userAgent },
        agent: false,
        timeout: this.#options.timeouts.idle,
        maxHeaderSize: HEADER_BYTES_MAX,
        // The address is checked for each connection, because a name may resolve to a different address than before.
        ...(isAllowed ? {} : { lookup: publicLookup }),
      })
      let incoming: IncomingMessage | undefined
      request.on('response', (response) => {
        // Otherwise, the reader would only see that the bytes end early.
        incoming = addAbortSignal(signal, response)
        resolve(response)
      })
      request.on('timeout', () => {
        const timeoutError = new RemoteError('takes too long')
        incoming?.destroy(timeoutError)
        request.destroy(timeoutError)
      })
      request.on('error', (error) => reject(toRemoteError(error)))
      request.end()
    })
  }
}

function describe({ headers }: IncomingMessage): RemoteFile {
  const length = headers['content-length']
  const contentType = headers['content-type']?.trim()
  return {
    contentType: contentType === '' ? undefined : contentType,
    contentLength: length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : undefined,
  }
}

async function* bytesOf(response: IncomingMessage): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* response
  } catch (error) {
    throw toRemoteError(error)
  }
}

function toRemoteError(error: unknown): RemoteError {
  if (error instanceof RemoteError) return error
  const cause = error instanceof Error ? error : undefined
  if (cause?.name === 'TimeoutError' || cause?.name === 'AbortError') return new RemoteError('takes too long', null, error)
  if (error instanceof PrivateHostError) return new RemoteError('is not public', null, error)
  return new RemoteError('cannot be reached', null, error)
}
