/** Serves the reference and makes open pages reload. */

import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { LiveSite } from './site.ts'

const eventPath = '/reload'

/** For the head of each page: reloads it on an event from the server. */
export const reloadScript = `<script>new EventSource('${eventPath}').addEventListener('reload', () => location.reload())</script>`

export interface PageServer {
  readonly port: number
  /** Reloads every open page. */
  reload(): void
  close(): void
}

/** Serves on 127.0.0.1; port 0 takes any free one. Rejects if the port is in use. */
export async function startServer(site: LiveSite, port: number): Promise<PageServer> {
  const listeners = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === eventPath) {
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' }).write(': open\n\n')
      listeners.add(response)
      response.on('close', () => listeners.delete(response))
      return
    }
    site.file(pathname).then(
      (file) =>
        file === undefined
          ? response.writeHead(404, { 'Content-Type': 'text/plain' }).end('This page does not exist.')
          : response.writeHead(200, { 'Content-Type': file.type, 'Cache-Control': 'no-store' }).end(file.text),
      (error: unknown) => response.writeHead(500, { 'Content-Type': 'text/plain' }).end(String(error)),
    )
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    reload() {
      for (const listener of listeners) listener.write('event: reload\ndata: now\n\n')
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
