import type { ClientHandlers } from '../contract/call.ts'
import { introspect, revoke } from '../domain/oauth/inspect.ts'
import { createToken } from '../domain/oauth/tokens.ts'

/** Operations that a connection calls with its client id and secret. */
export const oauth: ClientHandlers = {
  createToken: (call) => call.write((scope) => createToken(scope, call.body)),
  introspectToken: (call) => call.read(({ db, client }) => introspect(db, client, call.body.token)),
  revokeToken: (call) => call.write(({ db, client, now }) => revoke(db, client, call.body.token, now)),
}
