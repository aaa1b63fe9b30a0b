import { listUsers, retrieveMe, retrieveUser } from '../domain/users/users.ts'
import type { Handlers } from '../contract/call.ts'
import { pageRequest } from './paging.ts'

export const users = {
  listUsers: (call) => call.read((scope) => listUsers(scope, pageRequest(call.query))),
  retrieveMe: (call) => call.read(retrieveMe),
  retrieveUser: (call) => call.read((scope) => retrieveUser(scope, call.path.user_id)),
} satisfies Partial<Handlers>
