import { connect, type Socket } from 'node:net'
import { checked, type TestResponse } from './responses.ts'

const TIMEOUT_MS = 5_000

export function exchangeBytes(url: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    const chunks: Buffer[] = []
    const timeout = setTimeout(() => socket.destroy(new Error('the server does not close the connection')), TIMEOUT_MS)
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', (error: Error & { code?: string }) => {
      clearTimeout(timeout)
      // A server may respond and close the connection before it has read everything.
      if (chunks.length > 0 && (error.code === 'EPIPE' || error.code === 'ECONNRESET'))
        resolve(Buffer.concat(chunks).toString('utf8'))
      else reject(error)
    })
    socket.on('close', () => {
      clearTimeout(timeout)
      resolve(Buffer.concat(chunks).toString('utf8'))
    })
    socket.write(bytes)
  })
}

export interface OpenSocket {
  readonly socket: Socket
  /** All received bytes, once the server has closed it. */
  readonly ended: Promise<string>
}

/** Writes bytes to a socket and leaves it open. @param from the local address to connect from */
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

/**
 * Sends malformed HTTP.
 * @returns the response, checked against the contract
 */
export async function sendBytes(url: string, bytes: string | Buffer): Promise<TestResponse> {
  return readResponse(await exchangeBytes(url, bytes))
}

/** Parses a response from a socket and checks it against the contract. */
export function readResponse(text: string): TestResponse {
  const end = text.indexOf('\r\n\r\n')
  const [line = '', ...fields] = text.slice(0, end).split('\r\n')
  const headers = Object.fromEntries(
    fields.map((field) => [field.slice(0, field.indexOf(':')).toLowerCase(), field.slice(field.indexOf(':') + 1).trim()]),
  )
  return checked(undefined, 'RAW', { status: Number(line.split(' ')[1]), headers, text: text.slice(end + 4) })
}
