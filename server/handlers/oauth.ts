import { introspect, revoke, createToken, prepareToken } from '../domain/oauth/index.ts'
import { readAsClient, writeAsClient, writeAsClientAfter, type ClientHandlers } from './handler.ts'

/** The handlers of the operations that an OAuth client calls with its client id and secret. */
export const oauthHandlers: ClientHandlers = {
  createToken: writeAsClientAfter(
    (scope, call) => prepareToken(scope, call.body),
    (scope, call, prepared) => createToken(scope, call.body, prepared),
  ),
  introspectToken: readAsClient(({ db, client }, call) => introspect(db, client, call.body.token)),
  revokeToken: writeAsClient((scope, call) => revoke(scope, call.body.token)),
}
