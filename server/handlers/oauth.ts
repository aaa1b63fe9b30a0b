import { introspect, revoke } from '../domain/oauth/inspect.ts'
import { createToken } from '../domain/oauth/tokens.ts'
import { readAsClient, writeAsClient, type ClientHandlers } from './handler.ts'

/** The handlers of the operations that an OAuth client calls with its client id and secret. */
export const oauthHandlers: ClientHandlers = {
  createToken: writeAsClient((scope, call) => createToken(scope, call.body)),
  introspectToken: readAsClient(({ db, client }, call) => introspect(db, client, call.body.token)),
  revokeToken: writeAsClient(({ db, client, now }, call) => revoke(db, client, call.body.token, now)),
}
