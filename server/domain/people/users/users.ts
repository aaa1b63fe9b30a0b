import type { BotOwner, User, UserList } from '../../../../generated/types.ts'
import { canonicalId } from '../../../kernel/ids.ts'
import { findUsers, listUsersFrom, type UserRow } from '../../../store/users.ts'
import { findWorkspace } from '../../../store/workspaces.ts'
import {
  userDetail,
  notFound,
  badEntry,
  cutPageAtEntry,
  entryOfCursor,
  presentPaging,
  type PageRequest,
  type Scope,
} from '../../shared/index.ts'
import { knownRows } from './known.ts'
import { partialUser, presentPerson, presentUser } from './present.ts'

/** People first, then bots, each in the order in which they joined. */
export async function listUsers(scope: Scope, request: PageRequest): Promise<UserList> {
  const { db, actor } = scope
  const first = entryOfCursor(request)
  const [start] = first === undefined ? [] : await findUsers(db, actor.workspaceId, [first])
  if (first !== undefined && (!start || start.role === 'guest')) throw badEntry(request)
  const page = cutPageAtEntry(await listUsersFrom(db, actor.workspaceId, start, request.pageSize + 1), request)
  return {
    object: 'list',
    type: 'user',
    user: {},
    results: await presentUsers(scope, page.items),
    ...presentPaging(page),
  }
}

/** Retrieves a user. Members can retrieve only themselves; connections can retrieve everyone except guests whose pages they do not see. */
export async function retrieveUser(scope: Scope, writtenId: string): Promise<User> {
  const id = canonicalId(writtenId)
  const [row] = scope.actor.tokenKind === 'personal' && id !== scope.actor.userId ? [] : await knownRows(scope, [id])
  if (!row) throw notFound(scope.actor, 'user', id)
  const [user] = await presentUsers(scope, [row])
  return user ?? presentUser(row, scope.actor)
}

/** The bot of the token with its details, whatever user information the caller may read; or the member. */
export async function retrieveMe(scope: Scope): Promise<User> {
  return retrieveUser(scope, scope.actor.userId)
}

async function presentUsers(scope: Scope, rows: readonly UserRow[]): Promise<User[]> {
  const own = rows.find((row) => row.kind === 'bot' && row.id === scope.actor.userId)
  const ownUser = own && (await presentOwnBot(scope, own))
  return rows.map((row) => (row === own && ownUser ? ownUser : presentUser(row, scope.actor)))
}

async function presentOwnBot(scope: Scope, row: UserRow): Promise<User> {
  const workspace = await findWorkspace(scope.db, scope.actor.workspaceId)
  return {
    object: 'user',
    id: row.id,
    name: row.name,
    avatar_url: row.avatar_url,
    type: 'bot',
    bot: {
      owner: await presentOwner(scope, row),
      workspace_id: scope.actor.workspaceId,
      workspace_name: workspace?.name ?? null,
      workspace_limits: { max_file_upload_size_in_bytes: scope.files.bytesMax },
    },
  }
}

async function presentOwner(scope: Scope, bot: UserRow): Promise<BotOwner> {
  if (bot.owner_id === null) return { type: 'workspace', workspace: true }
  const [person] = await findUsers(scope.db, scope.actor.workspaceId, [bot.owner_id])
  return { type: 'user', user: person ? presentPerson(person, userDetail(scope.actor)) : partialUser(bot.owner_id) }
}
