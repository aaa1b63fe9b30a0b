import { connect, type Socket } from 'node:net'
import { checked, type Answer } from './answers.ts'

const PATIENCE_MS = 5_000

/** Writes bytes to a bare socket and reads until the other side closes it. @returns all that came back */
export function exchangeBytes(url: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    const chunks: Buffer[] = []
    const patience = setTimeout(() => socket.destroy(new Error('no end of the answer: the server hangs')), PATIENCE_MS)
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', (error: Error & { code?: string }) => {
      clearTimeout(patience)
      // A server that has said enough may close while we still write.
      if (chunks.length > 0 && (error.code === 'EPIPE' || error.code === 'ECONNRESET'))
        resolve(Buffer.concat(chunks).toString('utf8'))
      else reject(error)
    })
    socket.on('close', () => {
      clearTimeout(patience)
      resolve(Buffer.concat(chunks).toString('utf8'))
    })
    socket.write(bytes)
  })
}

/** A bare socket that stays open. */
export interface OpenSocket {
  readonly socket: Socket
  /** All that came back, once the other side has closed it. */
  readonly ended: Promise<string>
}

/** Writes bytes to a bare socket and leaves it open. @param from an address of this machine to come from */
export function openBytes(url: string, bytes: string | Buffer, from = '127.0.0.1'): OpenSocket {
  const { hostname, port } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, localAddress: from })
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', () => undefined)
  socket.write(bytes)
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(Buffer.concat(chunks).toString('utf8'))))
  return { socket, ended }
}

/** Malformed HTTP, and the contract's error that must come back. */
export async function sendBytes(url: string, bytes: string | Buffer): Promise<Answer> {
  return readAnswer(await exchangeBytes(url, bytes))
}

/** One answer as it came over a bare socket, held against the contract. */
export function readAnswer(text: string): Answer {
  const end = text.indexOf('\r\n\r\n')
  const [line = '', ...fields] = text.slice(0, end).split('\r\n')
  const headers = Object.fromEntries(
    fields.map((field) => [field.slice(0, field.indexOf(':')).toLowerCase(), field.slice(field.indexOf(':') + 1).trim()]),
  )
  return checked(undefined, 'RAW', { status: Number(line.split(' ')[1]), headers, text: text.slice(end + 4) })
}
