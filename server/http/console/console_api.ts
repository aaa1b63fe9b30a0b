import { readFileSync } from 'node:fs'
import type { RequestHandler } from 'express'
import { newCall } from '../../application/call.ts'
import { parseContractDocument } from '../../contract/contract_document.ts'
import { DocumentOperations } from '../../contract/document_operations.ts'
import { DocumentValidator, type DescribedOperation } from '../../contract/document_validator.ts'
import { withOrigin } from '../../domain/administration/index.ts'
import { isFormToken, type Session } from '../../domain/people/index.ts'
import { ServiceError } from '../../kernel/errors.ts'
import { receiveJson, requireMatch, validateBy } from '../contract_server.ts'
import type { Dependencies } from '../dependencies.ts'
import type { HttpContext } from '../http_context.ts'
import { sessionOf } from '../oauth/browser.ts'
import { parseUrl } from '../parse_url.ts'
import { requireTransport } from '../require_transport.ts'
import { sendResponse } from '../response.ts'
import { composeChain, type Step } from '../steps/step.ts'
import { consoleHandlers } from './console_handlers.ts'

/** Serves the API of the console. Its contract is read and compiled for the first request: many services never receive one. */
export function consoleApi(deps: Dependencies): RequestHandler {
  const load = once(() => {
    const document = parseContractDocument(
      readFileSync(new URL('../../../generated/console.server.json', import.meta.url), 'utf8'),
    )
    return { operations: new DocumentOperations(document), chain: chainOf(deps, new DocumentValidator(document)) }
  })
  return async (request, response) => {
    const context = deps.contexts.of(response)
    context.operationLabel = 'console'
    context.audience = 'api'
    deps.admission.admit(response)
    deps.admission.limitUnauthenticated(response)
    const { operations, chain } = load()
    const { segments, query } = parseUrl(request.url)
    const { operation, path } = requireMatch(operations.find(request.method, segments), request.method)
    sendResponse(response, await chain(context, newCall(operation, path, query)))
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

function chainOf(deps: Dependencies, validator: DocumentValidator): ReturnType<typeof composeChain<Session, DescribedOperation>> {
  return composeChain<Session, DescribedOperation>({
    transport: async (context, _call, next) => {
      requireTransport(context, deps.requiresHttps)
      return next()
    },
    authenticate: authenticateBy(deps),
    body: receiveJson,
    validate: validateBy(validator),
    perform: performBy(deps),
  })
}

/** Requires a signed-in browser and, for changes, proof that the request comes from a page of this site. */
function authenticateBy(deps: Dependencies): Step<Session, DescribedOperation> {
  return async (context, { operation }, next) => {
    const session = await sessionOf(deps.database, context.request, deps.baseUrl(), deps.clock.now())
    if (!session) throw new ServiceError('unauthorized', { message: 'Nobody is signed in. Sign in again.' })
    context.identify(session, { personId: session.personId })
    if (operation.method !== 'get') requireOwnPage(context, session)
    return next()
  }
}

function requireOwnPage({ request }: HttpContext, { secret }: Session): void {
  const token = request.headers['x-csrf-token']
  if (typeof token === 'string' && isFormToken(secret, token)) return
  const message = 'The header X-CSRF-Token does not belong to this session. Reload the page.'
  throw new ServiceError('restricted_resource', { message })
}

type Handler = (call: object) => Promise<object>

function performBy(deps: Dependencies): Step<Session, DescribedOperation> {
  // The contract has validated the input of an operation; the handler is chosen by its id.
  const handlers = consoleHandlers as unknown as Readonly<Record<string, Handler>>
  return async (context, { operation, path, query, body }) => {
    const recorded = { ...deps, database: withOrigin(deps.database, context) }
    const call = { path, query, body, deps: recorded, session: context.caller, context, now: deps.clock.now() }
    const result = await handlers[operation.id]?.(call)
    return { status: 200, headers: {}, text: JSON.stringify(result) }
  }
}
