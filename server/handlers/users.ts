import { listUsers, retrieveMe, retrieveUser } from '../domain/people/index.ts'
import { read, type Handlers } from './handler.ts'
import { pageRequest } from './paging.ts'

export const userHandlers = {
  listUsers: read((scope, call) => listUsers(scope, pageRequest(call.query))),
  retrieveMe: read(retrieveMe),
  retrieveUser: read((scope, call) => retrieveUser(scope, call.path.user_id)),
} satisfies Partial<Handlers>
