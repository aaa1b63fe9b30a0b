import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface AlterableResponse {
  status: number
  readonly headers: Record<string, string>
  /** Parsed if it is JSON. */
  body: unknown
}

interface OriginalRequest {
  readonly method: string
  readonly url: string
  readonly version: string | undefined
  readonly body: string
}

/** A test's change of a response in flight. */
export type Alteration = (response: AlterableResponse, request: OriginalRequest) => void

export interface AlteringServer {
  readonly url: string
  /** Applies to later responses. */
  alteration: Alteration
  stop(): Promise<void>
}

/** The service with planted faults: a server in front of it that alters its responses. */
export async function startAlteringServer(target: string): Promise<AlteringServer> {
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/' } = request
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers
    const received = await fetch(target + url, {
      method,
      redirect: 'manual',
      headers: { ...(headers as Record<string, string>), 'accept-encoding': 'identity' },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    })
    const text = await received.text()
    const isJson = received.headers.get('content-type')?.startsWith('application/json') ?? false
    const altered: AlterableResponse = {
      status: received.status,
      headers: Object.fromEntries(received.headers),
      body: isJson && text !== '' ? JSON.parse(text) : text,
    }
    own.alteration(altered, {
      method,
      url,
      version: headers['service-version']?.toString(),
      body: Buffer.concat(chunks).toString(),
    })
    const { connection: _closing, 'content-length': _old, 'transfer-encoding': _coding, ...kept } = altered.headers
    response.writeHead(altered.status, kept)
    response.end(typeof altered.body === 'string' ? altered.body : JSON.stringify(altered.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const own: AlteringServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    alteration: () => undefined,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return own
}
