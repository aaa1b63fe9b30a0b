import { createServer, type IncomingMessage, type Server } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { hostHeaderValidationResponse, originValidationResponse } from '@modelcontextprotocol/server'
import { toolService, type ToolServiceOptions } from './tool_service.ts'

/** How tools are served over HTTP. The token of each caller is passed on to the API. */
export interface HttpToolOptions extends ToolServiceOptions {
  /** Names under which browsers and proxies may reach this server, without ports. */
  readonly hosts: readonly string[]
  /** The address of this server for callers behind a proxy, without a trailing slash; that of the request, if left out. */
  readonly publicUrl?: string
}

const PATH = '/mcp'
const METADATA_PATH = '/.well-known/oauth-protected-resource/mcp'
const TOKEN = /^Bearer +([\w.~+/=-]{1,200})$/i

/** A handler of requests at `/mcp`, whose `Authorization` header is the token for the API. */
export function toolHandler({ hosts, publicUrl, ...options }: HttpToolOptions): (request: Request) => Promise<Response> {
  const service = toolService(options)
  return async (request) => {
    const refused = hostHeaderValidationResponse(request, [...hosts]) ?? originValidationResponse(request, [...hosts])
    if (refused) return refused
    const { pathname, origin } = new URL(request.url)
    const base = publicUrl ?? origin
    if (pathname === METADATA_PATH)
      return Response.json({
        resource: `${base}${PATH}`,
        authorization_servers: [options.baseUrl],
        bearer_methods_supported: ['header'],
      })
    if (pathname !== PATH) return new Response('The tools are served at /mcp.\n', { status: 404 })
    const token = TOKEN.exec(request.headers.get('authorization') ?? '')?.[1]
    return token === undefined ? unauthenticated(`${base}${METADATA_PATH}`) : service.respond(request, { token })
  }
}

/** Serves the tools over HTTP. It does not listen yet. */
export function toolHttpServer(options: HttpToolOptions): Server {
  const handle = toNodeHandler({ fetch: toolHandler(options) })
  return createServer((request, response) => void handle(request as IncomingMessage & { method: string; url: string }, response))
}

function unauthenticated(metadata: string): Response {
  const headers = { 'WWW-Authenticate': `Bearer resource_metadata="${metadata}"` }
  return Response.json(
    { error: 'invalid_token', error_description: 'Send a token of the workspace service as Bearer.' },
    { status: 401, headers },
  )
}
