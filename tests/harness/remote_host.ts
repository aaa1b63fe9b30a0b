import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import tls from 'node:tls'
import { makeCertificate } from '../protocol/once/certificate.ts'
import { scratchFolder } from './databases.ts'

/** The answer of a host on one path. */
export type RemoteAnswer = (request: IncomingMessage, response: ServerResponse) => void

/** A host that files are fetched from, by HTTPS on the loopback address. This process trusts its certificate until it is closed. */
export interface RemoteHost {
  /** Its name and port, for `FILE_IMPORT_HOSTS`. */
  readonly host: string
  /** The file of its certificate, for other processes. */
  readonly certFile: string
  /** The requests so far, such as `GET /plan.pdf`. */
  readonly requests: readonly string[]
  url(path: string): string
  /** The number of requests that are being answered. */
  openAnswers(): number
  /** Breaks all connections. */
  breakOff(): void
  close(): Promise<void>
}

export async function startRemoteHost(answers: Readonly<Record<string, RemoteAnswer>>): Promise<RemoteHost> {
  const { certFile, keyFile, cert } = makeCertificate(scratchFolder('remote-'), 'remote')
  const trusted = tls.getCACertificates('default')
  trust([...trusted, cert.toString()])
  const requests: string[] = []
  let open = 0
  const server = createServer({ cert, key: readFileSync(keyFile) }, (request, response) => {
    requests.push(`${request.method} ${request.url}`)
    open += 1
    response.on('close', () => (open -= 1))
    const answer = answers[(request.url ?? '').slice(1)]
    if (answer) answer(request, response)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    host: `localhost:${port}`,
    certFile,
    requests,
    url: (path) => `https://localhost:${port}/${path}`,
    openAnswers: () => open,
    breakOff: () => server.closeAllConnections(),
    close: async () => {
      trust(trusted)
      await closed(server)
    },
  }
}

/** @throws Error on releases of Node.js that cannot trust others once they run; the service itself needs nothing of it */
function trust(certificates: readonly string[]): void {
  if (!('setDefaultCACertificates' in tls)) throw new Error('A remote host of the tests needs Node.js 22.19 or newer.')
  tls.setDefaultCACertificates(certificates)
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

/** Serves a file with its type and length, also to HEAD requests. */
export function served(bytes: Buffer, type: string, headers: Readonly<Record<string, string>> = {}): RemoteAnswer {
  return (request, response) => {
    response.writeHead(200, { 'Content-Type': type, 'Content-Length': String(bytes.length), ...headers })
    response.end(request.method === 'HEAD' ? undefined : bytes)
  }
}

/** Answers HEAD requests with a content type, and others as `fetched`. */
export function onceAsked(type: string, fetched: RemoteAnswer): RemoteAnswer {
  return (request, response) => {
    if (request.method === 'HEAD') response.writeHead(200, { 'Content-Type': type }).end()
    else fetched(request, response)
  }
}

export function redirect(location: string, status = 302): RemoteAnswer {
  return (_request, response) => void response.writeHead(status, { Location: location }).end()
}
