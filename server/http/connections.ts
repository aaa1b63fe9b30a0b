import type { Socket } from 'node:net'
import { isAwaited } from './malformed_request.ts'
import { networkOf } from './rate.ts'
import { EvictingPool, type PoolEntry } from './evicting_pool.ts'

interface Connection extends PoolEntry {
  /** What requests come in by: the connection itself, or what it becomes once it is encrypted. */
  line: Socket
}

/** Connections that are open. They share a pool; idle ones are closed first. */
export class Connections {
  readonly #pool: EvictingPool<Connection>
  readonly #byPeer = new Map<string, Connection>()
  readonly #isProxy: (address: string) => boolean

  /** @param isProxy whether many callers may come by one address */
  constructor(countMax: number, isProxy: (address: string) => boolean) {
    this.#pool = new EvictingPool({ countMax, bytesMax: Infinity })
    this.#isProxy = isProxy
  }

  add(socket: Socket): void {
    const peer = peerOf(socket)
    const address = this.#isProxy(socket.remoteAddress ?? '') ? peer : networkOf(socket.remoteAddress ?? '')
    const forget = (): void => {
      this.#pool.remove(connection)
      if (this.#byPeer.get(peer) === connection) this.#byPeer.delete(peer)
    }
    const connection: Connection = {
      caller: address,
      address,
      bytesHeld: 0,
      line: socket,
      isBusy: () => isAwaited(connection.line),
      evict: () => {
        forget()
        socket.destroy()
      },
    }
    this.#byPeer.set(peer, connection)
    socket.once('close', forget)
    this.#pool.add(connection)
  }

  /** Records that a connection is encrypted from here on. */
  secure(line: Socket): void {
    const connection = this.#byPeer.get(peerOf(line))
    if (connection) connection.line = line
  }
}

function peerOf({ remoteAddress = '', remotePort = 0 }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
