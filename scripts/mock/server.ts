import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import express, { type Request, type Response } from 'express'
import { answerFailure } from '../../server/http/failure_handler.ts'
import { sendText, setCommonHeaders } from '../../server/http/answer.ts'
import { Cors } from '../../server/http/cors.ts'
import { HeaderNames } from '../../server/http/header_names.ts'
import { withChallenge } from '../../server/http/oauth/with_challenge.ts'
import { acceptedRequest, type AcceptedRequest } from './accept.ts'
import type { ExampleAnswer, Examples } from './examples.ts'
import { answerOfVersion } from './answer_of_version.ts'
import { requestedPage } from './paging.ts'
import type { ConnectionFault } from './preferences.ts'
import { setTimeout as wait } from 'node:timers/promises'
import { isObject } from '../../server/kernel/is_object.ts'

interface MockParts {
  readonly examples: Examples
  readonly headers: HeaderNames
  readonly cors: Cors
}

/** Creates the mock: invalid requests get the errors of the service, valid ones are answered from the examples of the contract. */
export function createMockServer(examples: Examples, headers: HeaderNames): Server {
  const parts = { examples, headers, cors: new Cors(['*'], headers.brands, true) }
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  app.use((request, response, next) => answer(parts, request, response).catch(next))
  // The same HTTP options as in the service.
  return createServer({ joinDuplicateHeaders: true, requireHostHeader: false }, app)
}

/** Answers a request: with an example, or with an error if anything throws. */
async function answer(parts: MockParts, request: Request, response: Response): Promise<void> {
  const exchange = { requestId: randomUUID(), target: request.originalUrl, requester: undefined, failure: undefined }
  setCommonHeaders(response)
  parts.headers.setRequestId(response, exchange.requestId)
  if (request.method === 'OPTIONS') return parts.cors.preflight(request, response)
  parts.cors.expose(request, response)
  try {
    const accepted = await acceptedRequest(parts.headers, request, response)
    const { delayMilliseconds, fault } = accepted.preferences
    await wait(delayMilliseconds)
    if (fault === 'disconnect') return void request.socket.destroy()
    const made = await answerTo(parts, request, accepted, exchange.requestId)
    send(response, made, { names: parts.headers, requestId: exchange.requestId, fault })
  } catch (thrown) {
    answerFailure(exchange, request, response, withChallenge(thrown, request, `http://${request.headers.host ?? 'localhost'}`))
    if (response.statusCode === 500) console.error(thrown)
    // An unread body would block the connection.
    if (!request.complete) request.resume()
  }
}

async function answerTo(
  parts: MockParts,
  request: Request,
  accepted: AcceptedRequest,
  requestId: string,
): Promise<ExampleAnswer> {
  const { call, preferences } = accepted
  const chosen = await parts.examples.answer(call.operation, request.headers.accept, preferences)
  if (chosen.status >= 400) return chosen
  const madeUp = preferences.isDynamic ? await makeUp(accepted, chosen, requestId) : undefined
  if (madeUp) return madeUp
  const paged = requestedPage(accepted, chosen.body)
  return { ...chosen, body: await answerOfVersion(parts.examples, accepted, paged) }
}

/** A made-up answer in place of an example; undefined if only the example will do. */
async function makeUp(
  { operation, version, preferences }: AcceptedRequest,
  { status, headers }: ExampleAnswer,
  requestId: string,
): Promise<ExampleAnswer | undefined> {
  // Few need it, and it takes longer to load than the rest of the mock.
  const { madeUpAnswer } = await import('./made_up_answers.ts')
  const made = madeUpAnswer(operation, status, version, requestId, preferences.seed)
  return made && { status, headers: { ...headers, 'Preference-Applied': `dynamic=true, seed=${made.seed}` }, body: made.body }
}

/** Whether the mock sets a header itself rather than taking it from an example. */
function isOwn(name: string, { brands }: HeaderNames): boolean {
  const general = ['content-type', 'cache-control', 'x-content-type-options', 'strict-transport-security']
  const own = brands.flatMap((brand) => [`${brand}-`, `x-${brand}-`].map((start) => start.toLowerCase()))
  return general.includes(name.toLowerCase()) || own.some((start) => name.toLowerCase().startsWith(start))
}

function send(
  response: Response,
  { status, headers, body }: ExampleAnswer,
  { names, requestId, fault }: { names: HeaderNames; requestId: string; fault: ConnectionFault | undefined },
): void {
  for (const [name, value] of Object.entries(headers)) if (!isOwn(name, names)) response.setHeader(name, value)
  // Prism makes up headers; a task says itself when to ask for it again.
  if (isObject(body) && typeof body['poll_after_seconds'] === 'number')
    response.setHeader('Retry-After', body['poll_after_seconds'])
  const [type = ''] =
    Object.entries(headers)
      .filter(([name]) => name.toLowerCase() === 'content-type')[0]
      ?.slice(1) ?? []
  if (typeof body === 'string' || body === undefined) {
    response.setHeader('Content-Type', type.startsWith('text/event-stream') ? type : 'text/html; charset=utf-8')
    return deliver(response, status, body ?? '', fault)
  }
  const text = JSON.stringify(typeof body === 'object' ? { ...body, request_id: requestId } : body)
  deliver(response, status, text, fault)
}

function deliver(response: Response, status: number, text: string, fault: ConnectionFault | undefined): void {
  if (fault === undefined) return sendText(response, status, text)
  response.statusCode = status
  response.setHeader('Content-Length', Buffer.byteLength(text))
  response.write(text.slice(0, text.length / 2), () => response.destroy())
}
