import type { OperationId } from '../contract/operation.ts'
import type { AnyClientHandler } from '../handlers/handler.ts'
import { oauthHandlers } from '../handlers/oauth.ts'
import type { ClientWriteScope, OAuthClient } from '../domain/oauth/index.ts'
import { recordWrite } from '../domain/administration/index.ts'
import type { OAuthError } from '../kernel/oauth_error.ts'
import { withPreparation, type Database } from '../domain/shared/index.ts'
import type { Call } from './call.ts'
import { auditedWrite } from './audited_write.ts'
import type { Context } from './context.ts'

/** Calls the handler for a validated call of an OAuth client. @returns an error, instead of throwing it, if the changes must be committed */
export async function performClient(
  { database, auditsWrites }: { readonly database: Database; readonly auditsWrites: boolean },
  context: Context<OAuthClient>,
  call: Call,
): Promise<object | OAuthError> {
  const { caller: client, now, deadline } = context
  // Each handler is called only with parts that have been validated against the contract of its own operation.
  const handler = (oauthHandlers as unknown as Readonly<Record<OperationId, AnyClientHandler>>)[call.operation.id]
  if ('read' in handler) return database.read((db) => handler.read({ db, client, now }, call))
  const prepare = async (): Promise<(scope: ClientWriteScope) => Promise<object>> =>
    'write' in handler ? (scope) => handler.write(scope, call) : database.read((db) => handler.prepare({ db, client, now }, call))
  return withPreparation(prepare, (write) =>
    database.write(async (db) => {
      deadline.check()
      const audit = async (workspaceId: string, userId: string): Promise<void> => {
        const actor = { workspaceId, userId, connectionId: client.id }
        if (auditsWrites) await recordWrite(db, auditedWrite(context, call, actor), now)
      }
      const written = await write({ db, client, now, audit })
      deadline.beginCommit()
      return written
    }),
  )
}
