import type { Request, Response } from 'express'
import { validateRequest } from '../../server/application/validate_request.ts'
import type { ReceivedCall } from '../../server/application/perform.ts'
import { BrandedValues } from '../../server/contract/branded_values.ts'
import { sharedValidator } from '../../server/contract/contract_validator.ts'
import type { Operation, RouteMatch } from '../../server/contract/operation.ts'
import { bearerTokenIn } from '../../server/domain/authenticate.ts'
import { isBasic, requireClientCredentials } from '../../server/domain/oauth/client.ts'
import { requireAcceptable } from '../../server/http/accept_header.ts'
import type { HeaderNames } from '../../server/http/header_names.ts'
import { idempotencyKeyOf } from '../../server/http/idempotency_key.ts'
import { setOAuthHeaders } from '../../server/http/oauth/send_oauth_error.ts'
import { parseQuery } from '../../server/http/parse_query.ts'
import { requireFiles } from '../../server/http/received_body.ts'
import { requireRoute } from '../../server/http/require_route.ts'
import { receiveInMemory } from '../../server/http/create_router.ts'
import { parseApiVersion } from '../../server/http/parse_api_version.ts'
import { parseUrl } from '../../server/http/parse_url.ts'
import { parseVersion } from '../../server/http/parse_version.ts'
import { newestRelease, type ReleaseDate, type Translation } from '../../server/versions/index.ts'
import { parsePreferences, type Preferences } from './preferences.ts'

/** A request that has passed every check that needs no stored data. */
export interface AcceptedRequest {
  readonly preferences: Preferences
  readonly version: ReleaseDate
  /** The operation that was asked for, in the version of the request. */
  readonly operation: Operation
  /** The call to answer, in the form of the newest release. */
  readonly call: ReceivedCall
  /** Undefined if the request has the newest version. */
  readonly translation: Translation | undefined
}

/**
 * Runs the checks of the service in the same order. Any token, and any client id and secret, is accepted.
 * @throws ServiceError or OAuthError, as the service does
 */
export async function acceptedRequest(headers: HeaderNames, request: Request, response: Response): Promise<AcceptedRequest> {
  const url = parseUrl(request.originalUrl)
  const route = requireRoute(request.method, url.segments)
  requireAcceptable(route.operation, request)
  const { credentials } = route.operation
  if (credentials === 'none') return unchecked(route, request)
  if (credentials === 'client') return acceptedClientRequest(headers, route, request, response)
  if (credentials !== 'connection' || !isBasic(request.headers.authorization)) bearerTokenIn(request.headers.authorization)
  const { operation, pathParameters } = route
  const { version, betas } = parseApiVersion(headers, { operation, request, response, now: Date.now() })
  const body = await receiveInMemory(operation, request, response)
  idempotencyKeyOf(operation, request)
  const query = parseQuery(url.query, sharedValidator().arrayParameters(operation))
  const asked = { operation, path: pathParameters, query, body: body.fields }
  const branded = BrandedValues.of(headers.brands.at(-1))
  const { calls, translation } = validateRequest(sharedValidator(), asked, version, betas, branded)
  requireFiles(operation, body)
  const preferences = parsePreferences(header(request))
  return { preferences, version, operation, call: calls.at(-1) ?? asked, translation }
}

/** The checks of the OAuth endpoints. */
async function acceptedClientRequest(
  headers: HeaderNames,
  { operation }: RouteMatch,
  request: Request,
  response: Response,
): Promise<AcceptedRequest> {
  setOAuthHeaders(response)
  requireClientCredentials(request.headers.authorization)
  const version = headers.read(request, 'Version')
  if (version !== undefined) parseVersion(version, headers.nameOf('Version'))
  const { fields } = await receiveInMemory(operation, request, response)
  const call = { operation, ...sharedValidator().validate(operation, { path: {}, query: {}, body: fields }, {}) }
  return { preferences: parsePreferences(header(request)), version: newestRelease, operation, call, translation: undefined }
}

/** Operations that answer with pages are not checked. */
function unchecked({ operation, pathParameters }: RouteMatch, request: Request): AcceptedRequest {
  const call = { operation, path: pathParameters, query: {}, body: undefined }
  return { preferences: parsePreferences(header(request)), version: newestRelease, operation, call, translation: undefined }
}

function header({ headers: { prefer } }: Request): string | undefined {
  return Array.isArray(prefer) ? prefer.join(', ') : prefer
}
