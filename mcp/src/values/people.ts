import { isFullUser, type User, type WorkspaceClient } from '../../../client/src/index.ts'
import { ToolError } from '../tool.ts'

/** The maximum number of pages of 100 users that are searched for a name or email address. Other people can only be given by id. */
const USER_PAGES_MAX = 20
const ID = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i

/**
 * The ids of people, from ids, names or email addresses.
 * @throws ToolError for a name that nobody has, or several have
 */
export async function idsOfPeople(client: WorkspaceClient, written: readonly string[], path: string): Promise<string[]> {
  if (written.every((text) => ID.test(text))) return [...written]
  const users = await readUsers(client, USER_PAGES_MAX)
  return written.map((text) => {
    if (ID.test(text)) return text
    const wanted = text.trim().toLowerCase()
    const found = users.filter(
      (user) => user.name?.toLowerCase() === wanted || (user.type === 'person' && user.person.email?.toLowerCase() === wanted),
    )
    const [one] = found
    if (one && found.length === 1) return one.id
    const reason = found.length === 0 ? 'nobody has that name or email address' : `${found.length} people have that name`
    throw new ToolError(`${path}: ${reason}: ${JSON.stringify(text)}. Use list_users, and give an id.`)
  })
}

/** The users on the first pages of 100 whose names the token may read. */
export async function readUsers(client: WorkspaceClient, pagesMax: number): Promise<User[]> {
  const users: User[] = []
  let pages = 0
  for await (const { results } of client.users.list({ page_size: 100 }).pages()) {
    users.push(...results.filter(isFullUser))
    pages += 1
    if (pages >= pagesMax) break
  }
  return users
}
