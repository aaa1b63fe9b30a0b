import { cancelSession, createSession, querySessions, querySessionEvents, retrieveSession } from '../domain/agents/index.ts'
import { read, write, writeAndFollow, type Handlers } from './handler.ts'
import { pageRequest } from './paging.ts'

export const sessionHandlers = {
  createSession: writeAndFollow((scope, call, form) => createSession(scope, call.body, form)),
  querySessions: read((scope, call) => querySessions(scope, call.body, pageRequest(call.body, 'body'))),
  retrieveSession: read((scope, call) => retrieveSession(scope, call.path.session_id)),
  cancelSession: write((scope, call) => cancelSession(scope, call.path.session_id, call.body)),
  querySessionEvents: read((scope, call) =>
    querySessionEvents(scope, call.path.session_id, call.body, pageRequest(call.body, 'body')),
  ),
} satisfies Partial<Handlers>
