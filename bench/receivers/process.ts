/**
 * Webhook receivers in a process of their own: each path of the host behaves as a good or bad receiver. They represent other machines, so
 * they run at the lowest priority and use as little processor time as possible: they read only the path and length of a request, and always
 * send the same bytes. The process receives the location of its key and certificate, sends back its port, and reports on demand the number
 * of requests for each path.
 */

import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { constants, setPriority } from 'node:os'
import { createServer, type TLSSocket } from 'node:tls'
import type { ReceiverName } from './receivers.ts'

const SLOW_MS = 3_000
const ACKNOWLEDGED = 'HTTP/1.1 204 No Content\r\n\r\n'
const FAILED = 'HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n'
const NOT_FOUND = 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n'

setPriority(constants.priority.PRIORITY_LOW)

const handlers: Readonly<Record<ReceiverName, (socket: TLSSocket) => void>> = {
  healthy: (socket) => void socket.write(ACKNOWLEDGED),
  slow: (socket) => void setTimeout(() => socket.write(ACKNOWLEDGED), SLOW_MS),
  failing: (socket) => void socket.write(FAILED),
  dead: () => undefined,
}

const [keyFile = '', certFile = ''] = process.argv.slice(2)
const counts: Record<ReceiverName, number> = { healthy: 0, slow: 0, failing: 0, dead: 0 }

const server = createServer({ key: readFileSync(keyFile), cert: readFileSync(certFile) }, receive)
  .on('tlsClientError', () => undefined)
  .listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))

/** Responds to the requests on a connection, of which the service sends one at a time. */
function receive(socket: TLSSocket): void {
  let text = ''
  socket.setNoDelay(true)
  socket.on('error', () => socket.destroy())
  socket.on('data', (bytes: Buffer) => {
    text += bytes.toString('latin1')
    const bodyAt = text.indexOf('\r\n\r\n') + 4
    if (bodyAt < 4 || text.length < bodyAt + Number(/^content-length: (\d+)/im.exec(text)?.[1] ?? 0)) return
    const name = text.slice('POST /'.length, text.indexOf(' HTTP/'))
    text = ''
    if (!isReceiver(name)) return void socket.write(NOT_FOUND)
    counts[name] += 1
    handlers[name](socket)
  })
}

function isReceiver(name: string): name is ReceiverName {
  return Object.hasOwn(counts, name)
}

process.on('message', () => process.send?.(counts))
process.on('disconnect', () => process.exit())
