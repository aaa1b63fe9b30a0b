import type { RequestListener, Server, ServerOptions } from 'node:http'
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https'
import { createServer as createNetServer, type AddressInfo, type Server as NetServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { TlsPair } from '../config/load_tls_pair.ts'
import { authorityOf } from '../kernel/listening_address.ts'
import { createServer as createHttpServer } from '../kernel/node_http.ts'

const HEADER_BYTES_MAX = 16 * 1024
const REQUEST_TIMEOUT_MS = 60_000
const HEADERS_TIMEOUT_MS = 20_000
/**
 * Longer than proxies keep idle connections open, so that the service never closes a connection just as a proxy sends a request over it.
 */
const KEEP_ALIVE_MS = 65_000
const CHECK_INTERVAL_MS = 5_000
const HANDSHAKE_TIMEOUT_MS = 10_000
const SWEEP_INTERVAL_MS = 50
const TLS_HANDSHAKE_RECORD = 0x16

const OPTIONS: ServerOptions = {
  maxHeaderSize: HEADER_BYTES_MAX,
  requestTimeout: REQUEST_TIMEOUT_MS,
  headersTimeout: HEADERS_TIMEOUT_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  connectionsCheckingInterval: CHECK_INTERVAL_MS,
  // `requireTransport` refuses a missing Host header, with the contract's error.
  requireHostHeader: false,
  // Otherwise, Node would keep only one value of some repeated headers, and a proxy may have used another one.
  joinDuplicateHeaders: true,
}
/**
 * A connection over which nothing is sent in either direction for this long is closed. Requests take less time, and streams send
 * heartbeats.
 */
const IDLE_TIMEOUT_MS = 120_000

interface ListenerHandlers {
  /** Classes of the requests and responses; by default, those of `node:http`. */
  readonly messages?: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>
  readonly onConnection: (socket: Socket) => void
  /** Called after the TLS handshake with the TLS socket, from which requests are read. */
  readonly onSecureConnection: (socket: Socket) => void
  readonly onRequest: RequestListener
  /** Called for bytes that are not valid HTTP. */
  readonly onMalformedRequest: (error: Error & { code?: string }, socket: Duplex) => void
  readonly onTlsFailure: (error: Error) => void
}

/** A server that listens for HTTP and, with a certificate, HTTPS. */
export interface Listener {
  /** The address of the service, without a trailing slash. */
  readonly url: string
  /** Accepts a connection that did not come through the port, such as one end of an in-memory stream pair. */
  connect(stream: Duplex): void
  /** Uses a new certificate for new connections. */
  renewTls(pair: TlsPair): void
  /**
   * Stops accepting connections and closes idle ones.
   * @returns once all connections are closed
   */
  close(): Promise<void>
  /** Like `close`, but closes busy connections too. */
  closeAtOnce(): Promise<void>
}

export interface Address {
  readonly host: string
  readonly port: number
}

/** The URL of a listener without a port; its connections come only through `Listener.connect`. */
export const URL_WITHOUT_PORT = 'http://workspace-service.test'

/**
 * Listens for HTTP or, with a certificate, HTTPS. The HTTPS port accepts plain HTTP too, so that such requests get a response that explains
 * the problem.
 * @param address if undefined, no port is opened
 * @param idleMs time after which a connection is closed if nothing is sent over it while a request is in flight
 * @throws ListenError with the address and the reason
 */
export async function listen(
  address: Address | undefined,
  tls: TlsPair | undefined,
  handlers: ListenerHandlers,
  idleMs = IDLE_TIMEOUT_MS,
): Promise<Listener> {
  const options = { ...OPTIONS, ...handlers.messages }
  const plain = withHandlers(createHttpServer(options), handlers)
  const secure =
    tls &&
    withHandlers(
      createHttpsServer({ ...options, ...tls, minVersion: 'TLSv1.2', handshakeTimeout: HANDSHAKE_TIMEOUT_MS }),
      handlers,
    )
  secure?.on('tlsClientError', handlers.onTlsFailure)
  secure?.on('secureConnection', handlers.onSecureConnection)
  const entry = secure ? protocolSniffingServer(plain, secure) : plain
  entry.on('connection', handlers.onConnection)
  if (address === undefined) plain.emit('listening')
  else await startListening(entry, address)
  const servers = secure ? [plain, secure] : [plain]
  for (const server of servers) server.setTimeout(idleMs)
  return {
    url: address === undefined ? URL_WITHOUT_PORT : `${secure ? 'https' : 'http'}://${authority(entry)}`,
    connect: (stream) => void plain.emit('connection', stream),
    renewTls: (pair) => secure?.setSecureContext(pair),
    close: () => closed(entry, servers),
    closeAtOnce: () => {
      for (const server of servers) server.closeAllConnections()
      return closed(entry, servers)
    },
  }
}

function startListening(entry: NetServer, { host, port }: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    entry.once('error', (error) => reject(new ListenError(`Cannot listen on ${host}:${port}: ${error.message}`)))
    entry.listen(port, host, resolve)
  })
}

/** Thrown if an address is in use, does not belong to this machine, or is not permitted. Its stack trace is of no use. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

function withHandlers<S extends Server | HttpsServer>(server: S, { onRequest, onMalformedRequest }: ListenerHandlers): S {
  server.on('request', onRequest)
  // Otherwise, Node itself would respond to an unknown Expect header.
  server.on('checkExpectation', onRequest)
  server.on('connect', (_request, socket) => onMalformedRequest(new Error('CONNECT'), socket))
  server.on('clientError', onMalformedRequest)
  return server
}

/** Distinguishes TLS from HTTP by the first byte of each connection. The byte with which TLS begins cannot begin an HTTP request. */
function protocolSniffingServer(plain: Server, secure: HttpsServer): NetServer {
  // An HTTP server that does not listen enforces its request timeouts only after this event.
  for (const server of [plain, secure]) server.emit('listening')
  return createNetServer((socket: Socket) => {
    socket.setTimeout(HANDSHAKE_TIMEOUT_MS, () => socket.destroy())
    const drop = (): void => void socket.destroy()
    socket.once('error', drop)
    socket.once('data', (bytes: Buffer) => {
      socket.off('error', drop)
      socket.setTimeout(0)
      socket.pause()
      socket.unshift(bytes)
      ;(bytes[0] === TLS_HANDSHAKE_RECORD ? secure : plain).emit('connection', socket)
      process.nextTick(() => socket.resume())
    })
  })
}

function authority(server: NetServer): string {
  const { address, port } = server.address() as AddressInfo
  return authorityOf(address, port)
}

async function closed(entry: NetServer, servers: readonly (Server | HttpsServer)[]): Promise<void> {
  const gone = new Promise<void>((resolve) => entry.close(() => resolve()))
  const closeIdle = (): void => servers.forEach((server) => server.closeIdleConnections())
  closeIdle()
  for (const server of servers) if (server !== entry) server.close()
  // Connections with a request in flight become idle later, and are then closed.
  const sweep = setInterval(closeIdle, SWEEP_INTERVAL_MS)
  await gone
  clearInterval(sweep)
}
