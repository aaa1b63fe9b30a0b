import { z } from 'zod'
import type { User } from '../../../client/src/index.ts'
import { defineTool } from '../tool.ts'

export const listUsersMcpTool = defineTool({
  name: 'list_users',
  title: 'List users',
  description: 'Lists the people and bots of the workspace: ids, names and email addresses.',
  operations: ['listUsers'],
  input: z.object({
    limit: z.int().min(1).max(100).default(100),
    cursor: z.string().optional().describe('next_cursor of the previous result'),
  }),
  output: z.object({
    users: z.array(
      z.object({ id: z.string(), name: z.string().nullish(), type: z.string().optional(), email: z.string().optional() }),
    ),
    next_cursor: z.string().optional(),
  }),
  async run({ client }, { limit, cursor }) {
    const { results, next_cursor } = await client.users.list({
      page_size: limit,
      ...(cursor !== undefined && { start_cursor: cursor }),
    })
    return { users: results.map(userOf), ...(next_cursor !== null && { next_cursor }) }
  },
})

function userOf(user: User): { id: string; name?: string | null; type?: string; email?: string } {
  const email = user.type === 'person' ? user.person.email : undefined
  return { id: user.id, name: user.name, type: user.type, ...(email !== undefined && { email }) }
}
