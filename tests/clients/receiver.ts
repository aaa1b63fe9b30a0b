import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { makeCertificate } from '../protocol/once/certificate.ts'

/** A received request with its original bytes. */
export interface Delivery {
  readonly body: Buffer
  readonly headers: IncomingHttpHeaders
}

/** A receiver of webhooks. */
export interface Receiver {
  /** Its name and port, for `WEBHOOK_PRIVATE_HOSTS`. */
  readonly host: string
  readonly certFile: string
  /**
   * The first request to a path that contains this text.
   * @throws Error on timeout
   */
  delivery(path: string, text: string): Promise<Delivery>
  url(path: string): string
  stop(): void
}

const TRIES_MAX = 600

/** @param folder for its certificate */
export async function startReceiver(folder: string): Promise<Receiver> {
  const { certFile, keyFile, cert } = makeCertificate(folder, 'receiver')
  const received: (Delivery & { readonly path: string })[] = []
  const server = createServer({ cert, key: readFileSync(keyFile) }, (request, response) => {
    void buffer(request).then((body) => {
      received.push({ path: request.url ?? '', body, headers: request.headers })
      response.writeHead(204).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `localhost:${(server.address() as AddressInfo).port}`
  return {
    host,
    certFile,
    url: (path) => `https://${host}${path}`,
    async delivery(path, text) {
      for (let tries = 0; tries < TRIES_MAX; tries += 1) {
        const found = received.find((delivery) => delivery.path === path && delivery.body.includes(text))
        if (found) return found
        await pause(100)
      }
      throw new Error(`nothing came to ${path} with ${text}`)
    },
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
