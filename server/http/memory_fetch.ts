import { request as httpRequest, type IncomingMessage } from 'node:http'
import { Readable, type Duplex } from 'node:stream'
import { keepingAwake } from './keeping_awake.ts'
import { memoryLine, type LinePeer } from './memory_line.ts'

/** Like the global `fetch`, but for one server, and without following redirects. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** The client as which requests are sent, and the headers in which proxies describe it. */
export interface Sender {
  readonly peer?: LinePeer
  readonly headers?: Readonly<Record<string, string>>
}

const BODILESS = [204, 304]

/**
 * A `fetch` for a server in this process that has no port. It sends HTTP through connections in memory, so that requests are handled like
 * requests from a socket.
 * @param connect gives the server its end of a connection
 * @param origin the address of the server, against which paths are resolved; requests to other addresses fail
 * @param sender the client as which requests are sent; by default, a process on this machine
 */
export function memoryFetch(connect: (line: Duplex) => void, origin: string, sender: Sender = {}): Fetch {
  return async (input, init) => {
    const request = new Request(input instanceof Request ? input : new URL(input, origin), init)
    const url = new URL(request.url)
    if (url.origin !== origin)
      throw new TypeError(`fetch failed: expected an address of this server, ${origin}, found ${url.origin}`)
    const bytes = request.body === null ? undefined : Buffer.from(await request.arrayBuffer())
    request.signal.throwIfAborted()
    for (const [name, value] of Object.entries(sender.headers ?? {})) request.headers.set(name, value)
    const { client, server } = memoryLine(sender.peer)
    connect(server)
    return keepingAwake(exchange(client, request, url, bytes))
  }
}

async function exchange(line: Duplex, request: Request, url: URL, bytes: Buffer | undefined): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const sent = httpRequest({
    createConnection: () => line,
    method: request.method,
    host: url.hostname,
    port: url.port || 80,
    path: url.pathname + url.search,
    headers: { accept: '*/*', ...Object.fromEntries(request.headers) },
    signal: request.signal,
  })
  sent.once('response', resolve).on('error', reject)
  sent.end(bytes)
  try {
    return responseOf(await promise, request.method)
  } catch (error) {
    request.signal.throwIfAborted()
    throw new TypeError('fetch failed', { cause: error })
  }
}

function responseOf(incoming: IncomingMessage, method: string): Response {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(incoming.headersDistinct))
    for (const value of values) headers.append(name, value)
  const { statusCode: status = 0, statusMessage: statusText = '' } = incoming
  const isBodiless = method === 'HEAD' || BODILESS.includes(status)
  if (isBodiless) incoming.resume()
  // The two declarations of web streams differ only in name.
  const body = isBodiless ? null : (Readable.toWeb(incoming) as unknown as ReadableStream<Uint8Array>)
  return new Response(body, { status, statusText, headers })
}
