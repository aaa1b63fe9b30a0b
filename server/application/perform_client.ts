import type { ClientOperation } from '../contract/operation.ts'
import type { AnyCall, AnyClientHandler } from '../handlers/handler.ts'
import { oauthHandlers } from '../handlers/oauth.ts'
import type { Deadline } from '../kernel/deadline.ts'
import type { ClientScope, ClientWriteScope } from '../domain/oauth/client_scope.ts'
import type { OAuthError } from '../kernel/oauth_error.ts'
import type { Database } from '../domain/database.ts'
import { withPreparation } from '../domain/prepared_change.ts'

/** A request of an OAuth client that has been validated against the contract. */
interface CheckedClientRequest {
  readonly operation: ClientOperation
  readonly call: AnyCall
  readonly client: ClientScope['client']
  readonly now: number
  readonly deadline: Deadline
}

/** Calls the handler for a request of an OAuth client. @returns an error, instead of throwing it, if the changes must be committed */
export async function performClient(
  { database }: { readonly database: Database },
  { operation, call, client, now, deadline }: CheckedClientRequest,
): Promise<object | OAuthError> {
  // Each handler is called only with parts that have been validated against the contract of its own operation.
  const handler = (oauthHandlers as unknown as Readonly<Record<ClientOperation['id'], AnyClientHandler>>)[operation.id]
  if ('read' in handler) return database.read((db) => handler.read({ db, client, now }, call))
  const prepare = async (): Promise<(scope: ClientWriteScope) => Promise<object>> =>
    'write' in handler ? (scope) => handler.write(scope, call) : database.read((db) => handler.prepare({ db, client, now }, call))
  return withPreparation(prepare, (write) =>
    database.write(async (db) => {
      deadline.check()
      const written = await write({ db, client, now })
      deadline.beginCommit()
      return written
    }),
  )
}
