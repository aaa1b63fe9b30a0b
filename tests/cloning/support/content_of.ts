import type { OperationId } from '../../../generated/operations.ts'
import type { Sending } from '../../../cloning/src/clone_target.ts'

type Values = Readonly<Record<string, unknown>>
type Send = (id: OperationId, sending?: Sending) => Promise<Values>

interface Entry {
  readonly id: string
  readonly [key: string]: unknown
}

/** All content of a workspace that a clone copies, in a form for comparisons. */
export interface WorkspaceContent {
  readonly pages: readonly Entry[]
  readonly blocks: readonly Entry[]
  readonly schemas: readonly Entry[]
  readonly views: readonly Entry[]
  readonly comments: readonly Entry[]
}

export async function contentOf(send: Send): Promise<WorkspaceContent> {
  const content = { pages: [], blocks: [], schemas: [], views: [], comments: [] } as Record<keyof WorkspaceContent, Entry[]>
  const databases = new Set<string>()
  const all = await list(send, 'search', (cursor) => ({ body: { page_size: 100, ...cursor } }))
  all.sort((one, other) => (String(one['id']) < String(other['id']) ? -1 : 1))
  for (const record of all) {
    const id = String(record['id'])
    if (record['object'] === 'data_source') {
      databases.add(String((record['parent'] as Values)['database_id']))
      content.schemas.push({ id, title: record['title'], properties: lasting(record['properties']) })
      continue
    }
    const { properties, icon, cover, parent } = record
    content.pages.push({
      id,
      properties: lasting(properties),
      icon: lasting(icon),
      cover: lasting(cover),
      parent: lasting(parent),
    })
    await addBlocks(send, id, content.blocks)
    const comments = await list(send, 'listComments', (cursor) => ({ query: { block_id: id, ...cursor } }))
    for (const comment of comments)
      content.comments.push({
        id: String(comment['id']),
        discussion: comment['discussion_id'],
        text: lasting(comment['rich_text']),
        author: (comment['display_name'] as Values)['resolved_name'],
      })
  }
  for (const id of [...databases].sort()) {
    for (const { id: viewId } of await list(send, 'listDatabaseViews', (cursor) => ({ query: { database_id: id, ...cursor } }))) {
      const { name, type, data_source_id: source } = await send('retrieveView', { path: { view_id: String(viewId) } })
      content.views.push({ id: String(viewId), database: id, name, type, source })
    }
  }
  return content
}

async function addBlocks(send: Send, parentId: string, blocks: Entry[]): Promise<void> {
  const children = await list(send, 'listBlockChildren', (cursor) => ({
    path: { block_id: parentId },
    query: { page_size: '100', ...cursor },
  }))
  for (const block of children) {
    const [id, type] = [String(block['id']), String(block['type'])]
    blocks.push({ id, type, parentId, content: lasting(block[type]) })
    if (block['has_children'] === true && !/^child_/.test(type)) await addBlocks(send, id, blocks)
  }
}

async function list(send: Send, id: OperationId, sending: (cursor: Record<string, string>) => Sending): Promise<Values[]> {
  const items: Values[] = []
  for (let cursor: Record<string, string> = {}; ;) {
    const response = await send(id, sending(cursor))
    items.push(...(response['results'] as Values[]))
    if (typeof response['next_cursor'] !== 'string') return items
    cursor = { start_cursor: response['next_cursor'] }
  }
}

/** Keys whose values differ between workspaces: times, authors, links of files, ids of options and properties. */
const PASSING: ReadonlySet<string> = new Set([
  ...['created_time', 'last_edited_time', 'created_by', 'last_edited_by', 'expiry_time', 'href', 'option_ids'],
  ...['synced_property_id', 'verified_by', 'relation_property_id', 'rollup_property_id'],
])

/** Types that the service computes, or numbers in order of creation. */
const COMPUTED: ReadonlySet<unknown> = new Set(['formula', 'rollup', 'unique_id'])

function lasting(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lasting)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([key]) => !PASSING.has(key))
  return Object.fromEntries(entries.map(([key, member]) => [key, isPassing(key, value) ? '…' : lasting(member)]))
}

function isPassing(key: string, value: object): boolean {
  const { type, color }: Values = { ...value }
  return (
    (key === 'url' && (type === undefined || type === 'file')) ||
    (COMPUTED.has(key) && key === type && !('name' in value)) ||
    (key === 'id' && (type !== undefined || color !== undefined))
  )
}

/** The blocks in order, without the missing ones and their content. */
export function blocksWithout(blocks: WorkspaceContent['blocks'], missing: ReadonlySet<string>): WorkspaceContent['blocks'] {
  const gone = new Set(missing)
  return blocks.filter(({ id, parentId }) => {
    if (gone.has(String(parentId))) gone.add(id)
    return !gone.has(id)
  })
}
