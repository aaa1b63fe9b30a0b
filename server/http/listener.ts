import { createServer as createHttpServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https'
import { createServer as createNetServer, type AddressInfo, type Server as NetServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { TlsPair } from '../config/load_tls_pair.ts'

const HEADER_BYTES_MAX = 16 * 1024
const REQUEST_TIMEOUT_MS = 60_000
const HEADERS_TIMEOUT_MS = 20_000
/** Longer than proxies keep an idle connection, so that none is closed while a proxy sends on it. */
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
  // The chain answers a missing Host header in the contract's words.
  requireHostHeader: false,
  // Of repeated headers none is chosen: a proxy in front may have looked at another one.
  joinDuplicateHeaders: true,
}
/**
 * A connection without a byte in either direction for this long is closed, whatever its rate was before. No request is silent that
 * long, and streams send heartbeats.
 */
const IDLE_TIMEOUT_MS = 120_000

/** What happens with what comes in. */
interface Reception {
  /** What requests and responses are made of; those of the runtime unless told otherwise. */
  readonly messages?: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>
  readonly onConnection: (socket: Socket) => void
  /** A connection is encrypted from here on: requests come by another object. */
  readonly onSecureConnection: (socket: Socket) => void
  readonly onRequest: RequestListener
  /** Bytes that are no HTTP. */
  readonly onMalformedRequest: (error: Error & { code?: string }, socket: Duplex) => void
  readonly onTlsFailure: (error: Error) => void
}

/** The socket that requests come in by. */
export interface Listener {
  /** Where it listens, without a trailing slash. */
  readonly url: string
  /** Takes a connection that has come in by another way than a port. */
  connect(line: Duplex): void
  /** Takes a new certificate for connections to come. */
  renewTls(pair: TlsPair): void
  /** Takes no more connections and closes those that are idle. @returns when the last one is gone */
  close(): Promise<void>
  /** As `close`, but does not wait for anyone. */
  closeAtOnce(): Promise<void>
}

export interface Address {
  readonly host: string
  readonly port: number
}

/** What an address is called that no one can connect to: connections come by `Listener.connect` alone. */
export const NOWHERE = 'http://workspace-service.test'

/**
 * Listens by plain HTTP, or with a certificate by HTTPS. A request by plain HTTP to the HTTPS port is read too, so that it gets
 * an answer that says what is wrong.
 * @param address undefined listens nowhere
 * @param idleMs how long a connection may be silent while a request is under way
 * @throws Error with the address and the reason when it cannot listen there
 */
export async function listen(
  address: Address | undefined,
  tls: TlsPair | undefined,
  reception: Reception,
  idleMs = IDLE_TIMEOUT_MS,
): Promise<Listener> {
  const options = { ...OPTIONS, ...reception.messages }
  const plain = receiving(createHttpServer(options), reception)
  const secure =
    tls &&
    receiving(createHttpsServer({ ...options, ...tls, minVersion: 'TLSv1.2', handshakeTimeout: HANDSHAKE_TIMEOUT_MS }), reception)
  secure?.on('tlsClientError', reception.onTlsFailure)
  secure?.on('secureConnection', reception.onSecureConnection)
  const entry = secure ? sortingServer(plain, secure) : plain
  entry.on('connection', reception.onConnection)
  if (address === undefined) plain.emit('listening')
  else await startListening(entry, address)
  const servers = secure ? [plain, secure] : [plain]
  for (const server of servers) server.setTimeout(idleMs)
  return {
    url: address === undefined ? NOWHERE : `${secure ? 'https' : 'http'}://${authority(entry)}`,
    connect: (line) => void plain.emit('connection', line),
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

/** The address is taken, not ours, or not allowed: nothing a stack would explain. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

function receiving<S extends Server | HttpsServer>(server: S, { onRequest, onMalformedRequest }: Reception): S {
  server.on('request', onRequest)
  // Without this, an Expect header that Node does not know would be answered by Node.
  server.on('checkExpectation', onRequest)
  server.on('connect', (_request, socket) => onMalformedRequest(new Error('CONNECT'), socket))
  server.on('clientError', onMalformedRequest)
  return server
}

/** Looks at the first byte of each connection: TLS begins with one that no HTTP request begins with. */
function sortingServer(plain: Server, secure: HttpsServer): NetServer {
  // Servers that are handed their connections watch over the time limits of requests only once they believe that they listen.
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
  const { address, family, port } = server.address() as AddressInfo
  return `${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

async function closed(entry: NetServer, servers: readonly (Server | HttpsServer)[]): Promise<void> {
  const gone = new Promise<void>((resolve) => entry.close(() => resolve()))
  const closeIdle = (): void => servers.forEach((server) => server.closeIdleConnections())
  closeIdle()
  for (const server of servers) if (server !== entry) server.close()
  // Connections that are busy now become idle later.
  const sweep = setInterval(closeIdle, SWEEP_INTERVAL_MS)
  await gone
  clearInterval(sweep)
}
