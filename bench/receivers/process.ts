/**
 * Webhook receivers in a process of their own: the paths of one host behave as good and bad receivers do. They stand for other machines,
 * so they take only the processor time that everything else leaves. The process receives the location of its key and certificate, sends
 * back its port, and reports on demand how many requests each path has had.
 */

import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { constants, setPriority } from 'node:os'
import type { ReceiverName } from './receivers.ts'

const SLOW_MS = 3_000

setPriority(constants.priority.PRIORITY_LOW)

const answers: Readonly<Record<ReceiverName, (response: ServerResponse) => void>> = {
  healthy: (response) => void response.writeHead(204).end(),
  slow: (response) => void setTimeout(() => response.writeHead(204).end(), SLOW_MS),
  failing: (response) => void response.writeHead(500).end(),
  dead: () => undefined,
}

const [keyFile = '', certFile = ''] = process.argv.slice(2)
const counts: Record<ReceiverName, number> = { healthy: 0, slow: 0, failing: 0, dead: 0 }

const server = createServer({ key: readFileSync(keyFile), cert: readFileSync(certFile) }, (request, response) => {
  const name = (request.url ?? '').slice(1)
  request.resume()
  request.on('end', () => {
    if (!isReceiver(name)) return void response.writeHead(404).end()
    counts[name] += 1
    answers[name](response)
  })
}).listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))

function isReceiver(name: string): name is ReceiverName {
  return Object.hasOwn(counts, name)
}

process.on('message', () => process.send?.(counts))
process.on('disconnect', () => process.exit())
