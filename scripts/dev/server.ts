/** Serves one page, and tells open browsers to reload it. */

import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'

const eventPath = '/reload'

export interface PageServer {
  port: number
  /** goes into the head of the page: reloads it on the server's word */
  reloadScript: string
  /** reloads every open page */
  reload(): void
}

/** Serves `index.html` of the folder on 127.0.0.1; port 0 takes any free one. Rejects when the port is taken. */
export async function startServer(folder: string, port: number): Promise<PageServer> {
  const listeners = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    if (request.url === eventPath) {
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' }).write(': open\n\n')
      listeners.add(response)
      response.on('close', () => listeners.delete(response))
      return
    }
    readFile(join(folder, 'index.html')).then(
      (page) => response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' }).end(page),
      () => response.writeHead(503, { 'Content-Type': 'text/html', Refresh: '1' }).end('The first page is being made …'),
    )
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    reloadScript: `<script>new EventSource('${eventPath}').addEventListener('reload', () => location.reload())</script>`,
    reload: () => {
      for (const listener of listeners) listener.write('event: reload\ndata: now\n\n')
    },
  }
}
