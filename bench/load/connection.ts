import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { WireRequest } from './job.ts'

const HEAD_END = '\r\n\r\n'
const CHUNKED_END = '0\r\n\r\n'

/**
 * A keep-alive connection that counts responses without parsing their bodies, so that generating load uses little of the machine. One
 * request at a time.
 */
export class LoadConnection {
  readonly #socket: Socket
  #settle: { resolve(status: number): void; reject(error: Error): void } | undefined
  #head = ''
  /** Remaining bytes of the body; undefined while the head is read. */
  #left: number | undefined
  #tail = ''

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    socket.on('error', (error) => this.#fail(error))
    socket.on('close', () => this.#fail(new Error('the server closed a connection under load')))
  }

  static async open(url: URL): Promise<LoadConnection> {
    const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true })
    await once(socket, 'connect')
    return new LoadConnection(socket)
  }

  /** @returns the status, once the whole response has arrived */
  send(bytes: Buffer): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
      this.#socket.write(bytes)
    })
  }

  close(): void {
    this.#settle = undefined
    this.#socket.destroy()
  }

  #receive(chunk: Buffer): void {
    if (this.#left !== undefined) return this.#receiveBody(chunk)
    this.#head += chunk.toString('latin1')
    const end = this.#head.indexOf(HEAD_END)
    if (end === -1) return
    const bodySoFar = this.#head.slice(end + HEAD_END.length)
    const length = /\r\ncontent-length: *(\d+)/i.exec(this.#head.slice(0, end))?.[1]
    this.#left = length === undefined ? Infinity : Number(length)
    this.#receiveBody(Buffer.from(bodySoFar, 'latin1'))
  }

  #receiveBody(chunk: Buffer): void {
    if (this.#left === Infinity) {
      this.#tail = (this.#tail + chunk.toString('latin1', Math.max(0, chunk.length - CHUNKED_END.length))).slice(
        -CHUNKED_END.length,
      )
      if (this.#tail !== CHUNKED_END) return
    } else {
      this.#left = (this.#left ?? 0) - chunk.length
      if (this.#left > 0) return
    }
    const status = Number(this.#head.slice(9, 12))
    this.#head = this.#tail = ''
    this.#left = undefined
    this.#settle?.resolve(status)
  }

  #fail(error: Error): void {
    this.#settle?.reject(error)
    this.#settle = undefined
  }
}

export function encode({ method, path, headers = {}, body }: WireRequest, host: string): Buffer {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  if (body !== undefined) lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`)
  return Buffer.from(`${lines.join('\r\n')}${HEAD_END}${body ?? ''}`)
}
