import { duplexPair, type Duplex } from 'node:stream'

/** A connection inside the process: what is written at one end is read at the other. */
export interface MemoryLine {
  readonly client: Duplex
  readonly server: Duplex
}

/** What the service reads of a socket. */
const SOCKET = { remoteAddress: '127.0.0.1', remotePort: 0, setTimeout: (): void => undefined }

/** Ends that learn of each other's end, as those of a socket do. */
export function memoryLine(): MemoryLine {
  const [client, server] = duplexPair()
  Object.assign(server, SOCKET)
  client.once('close', () => server.destroy())
  // What was sent before arrives, and then the end, wherever it is.
  server.once('close', () => {
    if (!client.readableEnded && !client.destroyed && !server.writableEnded) client.push(null)
  })
  for (const end of [client, server]) end.on('error', () => undefined)
  return { client, server }
}
