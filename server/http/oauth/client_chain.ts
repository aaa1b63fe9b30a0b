import type { Request, Response } from 'express'
import type { ClientCall } from '../../contract/call.ts'
import type { Operation, OperationId } from '../../contract/operation.ts'
import { authenticateClient, requireUsableClient } from '../../domain/oauth/client.ts'
import { oauth } from '../../handlers/oauth.ts'
import type { Deadline } from '../../kernel/deadline.ts'
import { OAuthError } from '../../kernel/oauth_error.ts'
import { objectAnswer, type Answer } from '../answer.ts'
import type { ChainParts } from '../parts.ts'
import { chargeClient, countingFailures } from '../rate.ts'
import { parseVersion } from '../version.ts'
import { setOAuthHeaders } from './answer.ts'
import { receiveOAuthBody } from './body.ts'

export interface ClientRequest {
  readonly operation: Operation & { readonly id: OperationId }
  readonly request: Request
  readonly response: Response
  readonly requestId: string
  readonly deadline: Deadline
  readonly now: number
}

/** A handler without the types of its operation. */
type AnyClientHandler = (call: Omit<ClientCall<OperationId>, 'body'> & { readonly body: unknown }) => Promise<object>

/**
 * The short chain of the OAuth endpoints (contract/platform.md 6.4, note 5), from authentication on: client, budget, body, and
 * then the rules of OAuth.
 */
export async function answerClient(
  parts: ChainParts,
  { operation, request, response, requestId, deadline, now }: ClientRequest,
): Promise<Answer> {
  setOAuthHeaders(response)
  const client = await countingFailures(
    parts.budgets,
    parts.traffic.of(response).peer,
    parts.database.read((db) => authenticateClient(db, request.headers.authorization, now)),
  )
  parts.admission.identify(response, client.id)
  const version = parts.headers.read(request, 'Version')
  if (version !== undefined) parseVersion(version, parts.headers.nameOf('Version'))
  await chargeClient(parts.budgets, client.clientId ?? client.id)
  const body = await receiveOAuthBody(request, response)
  const valid = parts.validator.validate(operation, { path: {}, query: {}, body }, {})
  requireUsableClient(client)
  // The contract has just checked the body against the very operation whose types the handler declares.
  const handler = (oauth as unknown as Readonly<Partial<Record<OperationId, AnyClientHandler>>>)[operation.id]
  if (!handler) throw new Error(`${operation.id} has no handler`)
  const result = await handler({
    body: valid.body,
    read: (work) => parts.database.read((db) => work({ db, client, now })),
    write: (work) =>
      parts.database.write(async (db) => {
        deadline.check()
        const written = await work({ db, client, now })
        deadline.beginCommit()
        return written
      }),
  })
  if (result instanceof OAuthError) throw result
  return objectAnswer(result, requestId)
}
