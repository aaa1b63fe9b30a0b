import { Agent as HttpAgent, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { createProxyServer } from 'http-proxy-3'
import { BodyCopy, CopyBudget } from './body_copy.ts'
import type { RecordedExchange } from './exchange.ts'
import { isCovered } from './check_exchange.ts'

/** The most bytes of bodies that are copied at a time. */
const COPIES_BYTES_MAX = 64 * 1_048_576
const CONNECTIONS_MAX = 512

export interface CheckingProxyOptions {
  readonly target: URL
  /** Longer bodies pass unchecked. */
  readonly bodyBytesMax: number
  /** Whether to accept any certificate of the target. */
  readonly isInsecure: boolean
  onExchange(exchange: RecordedExchange): void
  /** The target could not be reached, or closed the connection. */
  onFailure(error: Error): void
}

/**
 * A server that forwards everything to its target, unchanged and as it arrives, and reports each exchange when it has ended. It follows no
 * redirects.
 */
export function checkingProxy(options: CheckingProxyOptions): Server {
  const { target, isInsecure } = options
  const proxy = createProxyServer({
    target: target.href.replace(/\/$/, ''),
    agent: new (target.protocol === 'https:' ? HttpsAgent : HttpAgent)({ keepAlive: true }),
    changeOrigin: true,
    preserveHeaderKeyCase: true,
    secure: !isInsecure,
    followRedirects: false,
    // Streams of events may be silent for long.
    proxyTimeout: 0,
  })
  proxy.on('start', restoreFraming)
  const budget = new CopyBudget(COPIES_BYTES_MAX)
  const copies = new WeakMap<IncomingMessage, BodyCopy>()
  proxy.on('proxyRes', (targetResponse, request, response) => {
    targetResponse.once('close', () => {
      if (targetResponse.complete || response.destroyed) return
      options.onFailure(new Error('the server closed the connection before the end of the response'))
      response.destroy()
    })
    const requestCopy = copies.get(request)
    if (requestCopy) copyResponse(targetResponse, request, requestCopy, new BodyCopy(budget, options.bodyBytesMax), options)
  })
  const server = createServer({ requestTimeout: 0 }, (request, response) => {
    if (isCovered({ method: request.method ?? '', target: request.url ?? '' })) {
      const copy = new BodyCopy(budget, options.bodyBytesMax)
      copies.set(request, copy)
      request.on('data', (chunk: Buffer) => copy.add(chunk))
      response.once('close', () => copy.drop())
    }
    proxy.web(request, response, {}, (error) => {
      options.onFailure(error)
      refuse(response)
    })
  })
  server.maxConnections = CONNECTIONS_MAX
  return server
}

/**
 * Restores the framing of a chunked body. For DELETE and OPTIONS, the proxy library expects no body and removes the framing; the target
 * would then read the body as the next request on the connection.
 */
function restoreFraming({ headers, headersDistinct }: IncomingMessage): void {
  const coding = headersDistinct['transfer-encoding']
  if (coding === undefined) return
  delete headers['content-length']
  headers['transfer-encoding'] = coding.join(', ')
}

function copyResponse(
  response: IncomingMessage,
  request: IncomingMessage,
  requestCopy: BodyCopy,
  copy: BodyCopy,
  { onExchange }: CheckingProxyOptions,
): void {
  response.on('data', (chunk: Buffer) => copy.add(chunk))
  response.once('end', () =>
    onExchange({
      method: request.method ?? '',
      target: request.url ?? '',
      requestHeaders: request.headers,
      requestBody: requestCopy.bytes,
      status: response.statusCode ?? 0,
      responseHeaders: response.headers,
      responseBody: copy.bytes,
    }),
  )
  response.once('close', () => copy.drop())
}

/** Ends a response that the target did not begin, or did not finish. */
function refuse(response: ServerResponse): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  response.writeHead(502, { 'Content-Type': 'text/plain; charset=utf-8' })
  response.end('The target of the proxy did not respond.\n')
}
