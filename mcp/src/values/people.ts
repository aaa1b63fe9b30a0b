import { isFullUser, type User, type WorkspaceClient } from '../../../client/src/index.ts'
import { candidateList } from '../texts.ts'
import { ToolError } from '../tool.ts'

/** The first users of the workspace. */
export interface FirstUsers {
  /** Those whose names the token may read. */
  readonly users: readonly User[]
  readonly hasMore: boolean
}

/** The users on the first pages of 100. */
export async function readUsers(client: WorkspaceClient, pagesMax: number): Promise<FirstUsers> {
  const users: User[] = []
  let pages = 0
  for await (const { results, has_more } of client.users.list({ page_size: 100 }).pages()) {
    users.push(...results.filter(isFullUser))
    pages += 1
    if (pages >= pagesMax) return { users, hasMore: has_more }
  }
  return { users, hasMore: false }
}

/** @throws ToolError for a name or email address that nobody has, or several have */
export function personNamed({ users, hasMore }: FirstUsers, written: string, path: string): string {
  const wanted = written.trim().toLowerCase()
  const found = users.filter((user) => user.name?.toLowerCase() === wanted || emailOf(user)?.toLowerCase() === wanted)
  const [one] = found
  if (one && found.length === 1) return one.id
  const name = JSON.stringify(written)
  if (one) {
    const candidates = candidateList(found.map((user) => `${user.id} (${emailOf(user) ?? user.type})`))
    throw new ToolError(`${path}: ${found.length} people have that name: ${name}. Give the id of one: ${candidates}.`)
  }
  const searched = hasMore ? `nobody among the first ${users.length} users` : 'nobody'
  throw new ToolError(`${path}: ${searched} has that name or email address: ${name}. Use list_users, and give an id.`)
}

export function emailOf(user: User): string | undefined {
  return user.type === 'person' ? user.person.email : undefined
}
