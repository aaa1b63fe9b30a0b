import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import express, { type Request, type Response as ExpressResponse } from 'express'
import type { Call } from '../../server/application/call.ts'
import type { Operation } from '../../server/contract/operation.ts'
import { Cors } from '../../server/http/cors.ts'
import { respondWithFailure } from '../../server/http/failure_handler.ts'
import type { HeaderNames } from '../../server/http/header_names.ts'
import { HttpContext } from '../../server/http/http_context.ts'
import { withChallenge } from '../../server/http/oauth/with_challenge.ts'
import { sendResponse, setCommonHeaders } from '../../server/http/response.ts'
import { routeCall } from '../../server/http/steps/route_call.ts'
import type { Step } from '../../server/http/steps/step.ts'
import { isObject } from '../../server/kernel/is_object.ts'
import type { Response } from '../../server/kernel/response.ts'
import type { ReleaseDate } from '../../server/versions/index.ts'
import { responseOfVersion } from './response_of_version.ts'
import type { ExampleResponse, Examples } from './examples.ts'
import { mockChains } from './mock_chains.ts'
import { requestedPage } from './paging.ts'
import { parsePreferences, type ConnectionFault, type Preferences } from './preferences.ts'

interface MockParts {
  readonly examples: Examples
  readonly headers: HeaderNames
  readonly cors: Cors
}

/** Creates the mock: invalid requests get the errors of the service, valid ones get examples of the contract. */
export function createMockServer(examples: Examples, headers: HeaderNames): Server {
  const parts = { examples, headers, cors: new Cors(['*'], headers.brands, true) }
  const chains = mockChains(headers, respondFromExamples(parts))
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  app.use((request, response, next) => received(parts, chains, request, response).catch(next))
  // The same HTTP options as in the service.
  return createServer({ joinDuplicateHeaders: true, requireHostHeader: false }, app)
}

/** Responds to a request: with an example, or with an error if anything throws. */
async function received(
  parts: MockParts,
  chains: ReturnType<typeof mockChains>,
  request: Request,
  response: ExpressResponse,
): Promise<void> {
  const context = new HttpContext(request, response, { requestId: randomUUID() })
  setCommonHeaders(response)
  parts.headers.setRequestId(response, context.requestId)
  if (request.method === 'OPTIONS') return parts.cors.preflight(request, response)
  parts.cors.expose(request, response)
  try {
    const call = routeCall(context)
    const made = await chains[call.operation.credentials](context, call)
    deliver(response, made, preferencesOf(request).fault)
  } catch (thrown) {
    respondWithFailure(context, withChallenge(thrown, request, `http://${request.headers.host ?? 'localhost'}`))
    if (response.statusCode === 500) console.error(thrown)
    // An unread body would block the connection.
    if (!request.complete) request.resume()
  }
}

function preferencesOf({ headers: { prefer } }: Request): Preferences {
  return parsePreferences(Array.isArray(prefer) ? prefer.join(', ') : prefer)
}

/** The last step: responds to a valid call with an example of the contract. */
function respondFromExamples(parts: MockParts): Step {
  return async (context, call) => {
    const preferences = preferencesOf(context.request)
    await wait(preferences.delayMilliseconds)
    return responseOf(parts, context, await exampleFor(parts, context, call, preferences))
  }
}

async function exampleFor(
  { examples }: MockParts,
  { request, requestId, version }: HttpContext,
  call: Call,
  preferences: Preferences,
): Promise<ExampleResponse> {
  const newest = call.validated.at(-1) ?? call
  const chosen = await examples.responseFor(newest.operation, request.headers.accept, preferences)
  if (chosen.status >= 400) return chosen
  const generated = preferences.isDynamic ? await makeUp(call.operation, { chosen, version, requestId, preferences }) : undefined
  if (generated) return generated
  const paged = requestedPage(newest, version, chosen.body)
  return { ...chosen, body: await responseOfVersion(examples, call, paged) }
}

interface GenerationTerms {
  readonly chosen: ExampleResponse
  readonly version: ReleaseDate
  readonly requestId: string
  readonly preferences: Preferences
}

/** A generated response instead of an example; undefined if an example is required. */
async function makeUp(
  operation: Operation,
  { chosen: { status, headers }, version, requestId, preferences }: GenerationTerms,
): Promise<ExampleResponse | undefined> {
  // Rarely needed, and slower to load than the rest of the mock.
  const { generatedResponse } = await import('./generated_responses.ts')
  const made = generatedResponse(operation, status, version, requestId, preferences.seed)
  return made && { status, headers: { ...headers, 'Preference-Applied': `dynamic=true, seed=${made.seed}` }, body: made.body }
}

/** Whether the mock sets a header itself rather than taking it from an example. */
function isOwn(name: string, { brands }: HeaderNames): boolean {
  const general = ['content-type', 'cache-control', 'x-content-type-options', 'strict-transport-security']
  const own = brands.flatMap((brand) => [`${brand}-`, `x-${brand}-`].map((start) => start.toLowerCase()))
  return general.includes(name.toLowerCase()) || own.some((start) => name.toLowerCase().startsWith(start))
}

function responseOf(parts: MockParts, { requestId }: HttpContext, { status, headers, body }: ExampleResponse): Response {
  const own = Object.fromEntries(Object.entries(headers).filter(([name]) => !isOwn(name, parts.headers)))
  // Prism invents headers, but a task's body says when to poll again.
  if (isObject(body) && typeof body['poll_after_seconds'] === 'number') own['Retry-After'] = String(body['poll_after_seconds'])
  if (typeof body !== 'string' && body !== undefined)
    return { status, headers: own, text: JSON.stringify(typeof body === 'object' ? { ...body, request_id: requestId } : body) }
  const [, type = ''] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? []
  const contentType = type.startsWith('text/event-stream') ? type : 'text/html; charset=utf-8'
  return { status, headers: { ...own, 'Content-Type': contentType }, text: body ?? '' }
}

function deliver(response: ExpressResponse, made: Response, fault: ConnectionFault | undefined): void {
  if (fault === 'disconnect') return void response.req.socket.destroy()
  if (fault === undefined) return sendResponse(response, made)
  response.statusCode = made.status
  for (const [name, value] of Object.entries(made.headers)) response.setHeader(name, value)
  response.setHeader('Content-Length', Buffer.byteLength(made.text))
  response.write(made.text.slice(0, made.text.length / 2), () => response.destroy())
}
