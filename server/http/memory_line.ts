import { duplexPair, type Duplex } from 'node:stream'

/** The two ends of a connection in memory. */
export interface MemoryLine {
  readonly client: Duplex
  readonly server: Duplex
}

/** The members of a socket that the service uses. */
const SOCKET = { remoteAddress: '127.0.0.1', remotePort: 0, setTimeout: (): void => undefined }

/** The client at the other end of a connection, with the members by which a socket describes it. */
export interface LinePeer {
  readonly remoteAddress?: string | undefined
  readonly encrypted?: boolean
}

/** A connection in memory. As with sockets, closing one end closes the other. */
export function memoryLine(peer: LinePeer = {}): MemoryLine {
  const [client, server] = duplexPair()
  Object.assign(server, SOCKET, peer)
  client.once('close', () => server.destroy())
  // The client can still read the data that was sent before. Then it gets the end of the stream, even in the middle of a response.
  server.once('close', () => {
    if (!client.readableEnded && !client.destroyed && !server.writableEnded) client.push(null)
  })
  for (const end of [client, server]) end.on('error', () => undefined)
  return { client, server }
}
