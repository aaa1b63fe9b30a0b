import type { Request, Response } from 'express'
import { performClient } from '../../application/perform_client.ts'
import type { ClientOperation } from '../../contract/operation.ts'
import { authenticateClient, requireUsableClient } from '../../domain/oauth/client.ts'
import type { Deadline } from '../../kernel/deadline.ts'
import { OAuthError } from '../../kernel/oauth_error.ts'
import { objectAnswer, type RenderedAnswer } from '../answer.ts'
import type { ChainParts } from '../chain_parts.ts'
import { chargeClient, chargingFailures } from '../charge_request.ts'
import { parseVersion } from '../parse_version.ts'
import { setOAuthHeaders } from './send_oauth_error.ts'
import { receiveOAuthBody } from './oauth_body.ts'

export interface ClientRequest {
  readonly operation: ClientOperation
  readonly request: Request
  readonly response: Response
  readonly requestId: string
  readonly deadline: Deadline
  readonly now: number
}

/**
 * Answers a request of an OAuth client, from its authentication on: version, rate limit, body, contract, and then the rules of OAuth.
 * @throws OAuthError or ServiceError, whichever check fails first
 */
export async function answerClient(
  parts: ChainParts,
  { operation, request, response, requestId, deadline, now }: ClientRequest,
): Promise<RenderedAnswer> {
  setOAuthHeaders(response)
  const exchange = parts.exchanges.of(response)
  const client = await chargingFailures(parts.budgets, exchange.peer, () =>
    parts.database.read((db) => authenticateClient(db, request.headers.authorization, now)),
  )
  exchange.caller = { workspaceId: client.workspaceId, connectionId: client.id }
  parts.admission.identify(response, client.id)
  const version = parts.headers.read(request, 'Version')
  if (version !== undefined) parseVersion(version, parts.headers.nameOf('Version'))
  await chargeClient(parts.budgets, client.clientId ?? client.id)
  const body = await receiveOAuthBody(request, response)
  exchange.body = body
  const valid = parts.validator.validate(operation, { path: {}, query: {}, body }, {})
  requireUsableClient(client)
  const result = await performClient(parts, { operation, call: valid, client, now, deadline })
  if (result instanceof OAuthError) throw result
  return objectAnswer(result, requestId)
}
