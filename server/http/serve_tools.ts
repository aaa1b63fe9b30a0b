import { once } from 'node:events'
import type { Request, Response, Router } from 'express'
import { newestRelease } from '../../generated/operations.ts'
import { authenticate, bearerTokenIn } from '../domain/people/index.ts'
import type { Actor } from '../domain/shared/index.ts'
import { ServiceError } from '../kernel/errors.ts'
import type { AssistantTools, AssistantToolService } from './assistant_tools.ts'
import { chargingFailures } from './charge_request.ts'
import type { Dependencies } from './dependencies.ts'
import type { HttpContext } from './http_context.ts'
import { receiveJsonBody } from './json_body.ts'
import { URL_WITHOUT_PORT } from './listener.ts'
import { memoryFetch, type Sender } from './memory_fetch.ts'
import { RESOURCE_METADATA_PATH } from './oauth/metadata_paths.ts'
import { withChallenge } from './oauth/with_challenge.ts'
import { requireTransport } from './require_transport.ts'
import { chargeActor } from './steps/charge_caller.ts'

/**
 * Serves the tools for AI assistants. Each call of a tool is a request to this service with the assistant's token, and counts like any
 * other request. The tools are loaded for the first request, because most deployments never receive one.
 */
export function serveTools(app: Router, tools: AssistantTools, deps: Dependencies): void {
  let loaded: Promise<AssistantToolService> | undefined
  const load = async (): Promise<AssistantToolService> => {
    const { toolService } = await tools.load()
    return toolService({ baseUrl: URL_WITHOUT_PORT, version: newestRelease, hasSiblings: tools.hasSiblings })
  }
  app.all(tools.path, async (request, response) => {
    const context = deps.contexts.of(response)
    context.operationLabel = 'tools'
    deps.admission.admit(response)
    context.now = deps.clock.now()
    requireTransport(context, deps.requiresHttps)
    requireOwnOrigin(request, deps)
    try {
      await identify(deps, context)
    } catch (thrown) {
      throw withChallenge(thrown, request, deps.baseUrl(), RESOURCE_METADATA_PATH + tools.path)
    }
    const body = request.method === 'POST' ? await receiveJsonBody(request, response) : undefined
    loaded ??= load()
    const token = bearerTokenIn(request.headers.authorization)
    const caller = { token, fetch: memoryFetch((line) => tools.connect(line), URL_WITHOUT_PORT, senderOf(request)) }
    const signal = signalOf(response, deps.requestMilliseconds)
    await send(response, await (await loaded).respond(webRequest(request, signal), caller, body), signal)
  })
}

/** Authenticates and charges the caller, as the chain of the API does. */
async function identify({ database, rateLimiter, admission }: Dependencies, context: HttpContext): Promise<void> {
  const { request, response, remote, now } = context
  const actor: Actor = await chargingFailures(rateLimiter, remote, () =>
    authenticate(database, request.headers.authorization, now),
  )
  context.identify(actor, actor)
  admission.identify(response, actor.userId)
  await chargeActor(rateLimiter, response, actor)
}

/** Rejects requests from pages of other sites. Browsers name the site of the page that sends a request. */
function requireOwnOrigin({ headers: { origin } }: Request, { baseUrl }: Dependencies): void {
  if (origin === undefined || origin === new URL(baseUrl()).origin) return
  throw new ServiceError('restricted_resource', { message: 'Pages of other sites may not call the tools.' })
}

/** The client that sent a request. Requests of the tools are sent as the same client. */
function senderOf({ socket, headers }: Request): Sender {
  const forwarded = ['x-forwarded-for', 'x-forwarded-proto'].flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  const encrypted = 'encrypted' in socket && socket.encrypted === true
  return { peer: { remoteAddress: socket.remoteAddress, encrypted }, headers: Object.fromEntries(forwarded) }
}

/** A signal that aborts when the client has disconnected or the time limit of the request is reached. */
function signalOf(response: Response, milliseconds: number): AbortSignal {
  const closed = new AbortController()
  response.once('close', () => closed.abort())
  return AbortSignal.any([closed.signal, AbortSignal.timeout(milliseconds)])
}

/** A web request without a body, which has already been parsed. */
function webRequest({ method, originalUrl, headersDistinct }: Request, signal: AbortSignal): globalThis.Request {
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  return new Request(new URL(originalUrl, URL_WITHOUT_PORT), { method, headers, signal })
}

async function send(response: Response, { status, headers, body }: globalThis.Response, signal: AbortSignal): Promise<void> {
  response.statusCode = status
  for (const [name, value] of headers) response.setHeader(name, value)
  // A result that is preceded by notifications arrives in parts.
  for await (const chunk of body ?? []) if (!response.write(chunk)) await once(response, 'drain', { signal })
  response.end()
}
