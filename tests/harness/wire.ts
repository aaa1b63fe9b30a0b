import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** A TCP proxy to a PostgreSQL server, whose connections can be cut and restored. */
export class Wire {
  readonly #target: URL
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  #port = 0
  /** Drops all connections, once, when the service sends bytes that contain this text. */
  dropAt: string | undefined
  /** How often the text of `dropAt` passes before connections are dropped. */
  passes = 0
  /** Cuts all connections when the service sends bytes that contain this text. */
  cutAt: string | undefined
  /** Cuts only if the same connection has sent this text before the text of `cutAt`, or together with it. */
  cutAfter: string | undefined
  /**
   * While set, the proxy keeps connections open that the server ends, as if the server's machine had lost power. A connection on which the
   * service sends this text transfers nothing more.
   */
  holdAt: string | undefined
  /** Called with all transferred bytes. Connections are numbered. */
  watch: ((connection: number, from: 'service' | 'server', bytes: Buffer) => void) | undefined
  #joined = 0

  /** @param url the address of a database on the server */
  constructor(url: string) {
    this.#target = new URL(url)
  }

  /**
   * Accepts connections.
   * @returns the address of the database through the proxy, which is always the same
   */
  async restore(): Promise<string> {
    const server = createServer((near) => this.#join(near))
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve))
    this.#port = (server.address() as AddressInfo).port
    this.#server = server
    const through = new URL(this.#target)
    through.host = `127.0.0.1:${this.#port}`
    return through.href
  }

  #join(near: Socket): void {
    const far = connect(Number(this.#target.port), this.#target.hostname)
    for (const socket of [near, far]) {
      this.#sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => this.#sockets.delete(socket))
    }
    const connection = (this.#joined += 1)
    far.on('data', (bytes: Buffer) => this.watch?.(connection, 'server', bytes))
    let sentBefore: string | undefined
    let isHeld = false
    near.on('data', (bytes: Buffer) => {
      this.watch?.(connection, 'service', bytes)
      isHeld ||= this.holdAt !== undefined && bytes.includes(this.holdAt)
      if (isHeld) return
      far.write(bytes)
      if (this.cutAfter !== undefined && bytes.includes(this.cutAfter)) sentBefore = this.cutAfter
      if (this.cutAt !== undefined && bytes.includes(this.cutAt) && sentBefore === this.cutAfter) this.cut()
      if (this.dropAt === undefined || !bytes.includes(this.dropAt)) return
      if (this.passes > 0) {
        this.passes -= 1
        return
      }
      this.dropAt = undefined
      this.drop()
    })
    far.pipe(near, { end: false })
    far.on('close', () => this.holdAt ?? near.end())
    near.on('close', () => far.destroy())
  }

  /** Drops all connections and refuses new ones. */
  cut(): void {
    this.#server?.close()
    this.drop()
  }

  /** Drops all connections. */
  drop(): void {
    for (const socket of this.#sockets) socket.destroy()
  }
}
