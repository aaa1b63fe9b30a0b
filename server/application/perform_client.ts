import type { ClientOperation } from '../contract/operation.ts'
import type { AnyCall, AnyClientHandler } from '../handlers/handler.ts'
import { oauthHandlers } from '../handlers/oauth.ts'
import type { Deadline } from '../kernel/deadline.ts'
import type { ClientScope } from '../domain/oauth/tokens.ts'
import type { OAuthError } from '../kernel/oauth_error.ts'
import type { Database } from '../domain/database.ts'

/** A request of an OAuth client that has passed the contract. */
interface CheckedClientRequest {
  readonly operation: ClientOperation
  readonly call: AnyCall
  readonly client: ClientScope['client']
  readonly now: number
  readonly deadline: Deadline
}

/** Calls the handler of an OAuth client's request. @returns an error where what happened has to be kept all the same */
export async function performClient(
  { database }: { readonly database: Database },
  { operation, call, client, now, deadline }: CheckedClientRequest,
): Promise<object | OAuthError> {
  // The contract has just checked the call against the very operation whose types the handler declares.
  const handler = (oauthHandlers as unknown as Readonly<Record<ClientOperation['id'], AnyClientHandler>>)[operation.id]
  if ('read' in handler) return database.read((db) => handler.read({ db, client, now }, call))
  return database.write(async (db) => {
    deadline.check()
    const written = await handler.write({ db, client, now }, call)
    deadline.beginCommit()
    return written
  })
}
