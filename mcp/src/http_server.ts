import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, hostHeaderValidationResponse, originValidationResponse } from '@modelcontextprotocol/server'
import { createWorkspaceClient } from '../../client/src/index.ts'
import type { AssistantTool } from './tool.ts'
import { toolServer } from './tool_server.ts'
import { UndoEntries } from './undo_log.ts'

/** How tools are served over HTTP. */
export interface HttpToolOptions {
  /** Address of the API, to which the token of each caller is passed on. */
  readonly baseUrl: string
  readonly version: string
  /** First word of the headers of a branded deployment. */
  readonly headerBrand?: string
  /** Names under which browsers and proxies may reach this server, without ports. */
  readonly hosts: readonly string[]
  readonly tools?: readonly AssistantTool[]
}

const PATH = '/mcp'
const METADATA_PATH = '/.well-known/oauth-protected-resource/mcp'
const TOKEN = /^Bearer +([\w.~+/=-]{1,200})$/i

/** A handler of requests at `/mcp`, whose `Authorization` header is the token for the API. */
export function toolHandler(options: HttpToolOptions): (request: Request) => Promise<Response> {
  const { baseUrl, version, headerBrand, hosts, tools } = options
  const entries = new UndoEntries()
  const handler = createMcpHandler(({ requestInfo }) => {
    const token = tokenOf(requestInfo?.headers) ?? ''
    const client = createWorkspaceClient({ baseUrl, token, ...(headerBrand !== undefined && { headerBrand }) })
    const undo = entries.ofCaller(createHash('sha256').update(token).digest('hex'))
    return toolServer({ version, client, undo, ...(tools && { tools }) })
  })
  return async (request) => {
    const refused = hostHeaderValidationResponse(request, [...hosts]) ?? originValidationResponse(request, [...hosts])
    if (refused) return refused
    const { pathname, origin } = new URL(request.url)
    if (pathname === METADATA_PATH)
      return Response.json({
        resource: `${origin}${PATH}`,
        authorization_servers: [baseUrl],
        bearer_methods_supported: ['header'],
      })
    if (pathname !== PATH) return new Response('The tools are served at /mcp.\n', { status: 404 })
    return tokenOf(request.headers) === undefined ? unauthenticated(`${origin}${METADATA_PATH}`) : handler.fetch(request)
  }
}

/** Serves the tools over HTTP. It does not listen yet. */
export function toolHttpServer(options: HttpToolOptions): Server {
  const handle = toNodeHandler({ fetch: toolHandler(options) })
  return createServer((request, response) => void handle(request as IncomingMessage & { method: string; url: string }, response))
}

function tokenOf(headers: Headers | undefined): string | undefined {
  return TOKEN.exec(headers?.get('authorization') ?? '')?.[1]
}

function unauthenticated(metadata: string): Response {
  const headers = { 'WWW-Authenticate': `Bearer resource_metadata="${metadata}"` }
  return Response.json(
    { error: 'invalid_token', error_description: 'Send a token of the workspace service as Bearer.' },
    { status: 401, headers },
  )
}
