import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import tls from 'node:tls'
import { makeCertificate } from '../protocol/once/certificate.ts'
import { scratchFolder } from './databases.ts'

/** The handler for one path of a host. */
export type RemoteHandler = (request: IncomingMessage, response: ServerResponse) => void

/** A host of remote files, with HTTPS on the loopback address. This process trusts its certificate until it is closed. */
export interface RemoteHost {
  /** Its name and port, for `FILE_IMPORT_HOSTS`. */
  readonly host: string
  /** The file of its certificate, for other processes. */
  readonly certFile: string
  /** The requests so far, such as `GET /plan.pdf`. */
  readonly requests: readonly string[]
  url(path: string): string
  /** The number of pending responses. */
  openResponses(): number
  /** Breaks all connections. */
  breakOff(): void
  close(): Promise<void>
}

export async function startRemoteHost(responses: Readonly<Record<string, RemoteHandler>>): Promise<RemoteHost> {
  const { certFile, keyFile, cert } = makeCertificate(scratchFolder('remote-'), 'remote')
  const trusted = tls.getCACertificates('default')
  trust([...trusted, cert.toString()])
  const requests: string[] = []
  let open = 0
  const server = createServer({ cert, key: readFileSync(keyFile) }, (request, response) => {
    requests.push(`${request.method} ${request.url}`)
    open += 1
    response.on('close', () => (open -= 1))
    const handler = responses[(request.url ?? '').slice(1)]
    if (handler) handler(request, response)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    host: `localhost:${port}`,
    certFile,
    requests,
    url: (path) => `https://localhost:${port}/${path}`,
    openResponses: () => open,
    breakOff: () => server.closeAllConnections(),
    close: async () => {
      trust(trusted)
      await closed(server)
    },
  }
}

/** @throws Error on releases of Node.js that cannot trust further certificates at run time; the service itself does not need that */
function trust(certificates: readonly string[]): void {
  if (!('setDefaultCACertificates' in tls)) throw new Error('A remote host of the tests needs Node.js 22.19 or newer.')
  tls.setDefaultCACertificates(certificates)
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

/** Serves a file with its type and length, also to HEAD requests. */
export function served(bytes: Buffer, type: string, headers: Readonly<Record<string, string>> = {}): RemoteHandler {
  return (request, response) => {
    response.writeHead(200, { 'Content-Type': type, 'Content-Length': String(bytes.length), ...headers })
    response.end(request.method === 'HEAD' ? undefined : bytes)
  }
}

/** Responds to HEAD requests with a content type, and to others with `fetched`. */
export function onceRequested(type: string, fetched: RemoteHandler): RemoteHandler {
  return (request, response) => {
    if (request.method === 'HEAD') response.writeHead(200, { 'Content-Type': type }).end()
    else fetched(request, response)
  }
}

export function redirect(location: string, status = 302): RemoteHandler {
  return (_request, response) => void response.writeHead(status, { Location: location }).end()
}
