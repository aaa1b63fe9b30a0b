import type { Socket } from 'node:net'
import { isAwaitingResponse } from './malformed_request.ts'
import { networkOf } from './network_of.ts'
import { EvictingPool, type PoolEntry } from './evicting_pool.ts'

interface Connection extends PoolEntry {
  /** The socket from which requests are read: the TCP socket, or the TLS socket on top of it. */
  requestSocket: Socket
}

/** Open connections. When there are too many, idle ones are closed first. */
export class Connections {
  readonly #pool: EvictingPool<Connection>
  readonly #byPeer = new Map<string, Connection>()
  readonly #isProxy: (address: string) => boolean

  /** @param isProxy whether an address belongs to a trusted proxy, which may forward requests of many callers */
  constructor(countMax: number, isProxy: (address: string) => boolean) {
    this.#pool = new EvictingPool({ countMax, bytesMax: Infinity })
    this.#isProxy = isProxy
  }

  add(socket: Socket): void {
    const remote = remoteAddressOf(socket)
    const address = this.#isProxy(socket.remoteAddress ?? '') ? remote : networkOf(socket.remoteAddress ?? '')
    const forget = (): void => {
      this.#pool.remove(connection)
      if (this.#byPeer.get(remote) === connection) this.#byPeer.delete(remote)
    }
    const connection: Connection = {
      caller: address,
      address,
      bytesHeld: 0,
      requestSocket: socket,
      isBusy: () => isAwaitingResponse(connection.requestSocket),
      evict: () => {
        forget()
        socket.destroy()
      },
    }
    this.#byPeer.set(remote, connection)
    socket.once('close', forget)
    this.#pool.add(connection)
  }

  /** Records the TLS socket of a connection, once the handshake is done. */
  secure(tlsSocket: Socket): void {
    const connection = this.#byPeer.get(remoteAddressOf(tlsSocket))
    if (connection) connection.requestSocket = tlsSocket
  }
}

function remoteAddressOf({ remoteAddress = '', remotePort = 0 }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
