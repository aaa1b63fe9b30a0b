/**
 * Express handlers as a good programmer writes them in an afternoon. They read and write rows of the service's own tables by primary key or
 * index, and respond with the same JSON. They validate nothing, check no rights and serve only the requests of the bench.
 *
 *     node bench/baselines/express_rows.ts <port> <DATABASE_URL>
 */

import { randomBytes, randomUUID } from 'node:crypto'
import express, { type Request, type Response } from 'express'
import { generateNKeysBetween } from 'fractional-indexing'
import { listOf, presentBlock, presentPage, writtenRow } from './present.ts'
import type { Author, NewRow, Rows } from './rows.ts'
import { postgresqlRows } from './rows_postgresql.ts'
import { sqliteRows } from './rows_sqlite.ts'

const [port = '', databaseUrl = ''] = process.argv.slice(2)
const { rows, author }: { rows: Rows; author: Author } = databaseUrl.startsWith('sqlite:')
  ? sqliteRows(databaseUrl.slice('sqlite:'.length))
  : await postgresqlRows(databaseUrl)
const baseUrl = `http://127.0.0.1:${port}`

type Content = Readonly<Record<string, unknown>>
interface SentBlock extends Content {
  readonly type?: string
}

const idIn = (request: Request): string => String(request.params['id'])
const send = (response: Response, received: object): void => void response.json({ ...received, request_id: randomUUID() })

/**
 * Ranks behind the last one. No lock makes concurrent writers wait, so several may read the same last rank; a random suffix keeps theirs
 * apart.
 */
function ranksAfter(last: string | null, count: number): string[] {
  const suffix = `${randomBytes(4).toString('hex')}1`
  return generateNKeysBetween(last, null, count).map((rank) => rank + suffix)
}

function rowsOf(
  sent: readonly SentBlock[],
  parent: Pick<NewRow, 'parentType' | 'parentId' | 'pageId'>,
  after: string | null,
): NewRow[] {
  const ranks = ranksAfter(after, sent.length)
  return sent.map((block, index) => {
    const type = block.type ?? Object.keys(block)[0] ?? ''
    const content = JSON.stringify({ ...(block[type] as object), color: 'default' })
    return { id: randomUUID(), type, ...parent, rank: ranks[index] ?? '', content }
  })
}

const app = express()
app.disable('x-powered-by')
app.disable('etag')
app.use(express.json({ limit: '500kb' }))
app.get('/healthz', (_request, response) => send(response, {}))
app.get('/v1/blocks/:id', async (request, response) => {
  const row = await rows.block(idIn(request))
  if (row) send(response, presentBlock(row))
  else response.sendStatus(404)
})
app.get('/v1/pages/:id', async (request, response) => {
  const row = await rows.page(idIn(request))
  if (row) send(response, presentPage(row, baseUrl))
  else response.sendStatus(404)
})
app.get('/v1/blocks/:id/children', async (request, response) => {
  const found = await rows.children(idIn(request), Number(request.query['page_size']))
  send(response, listOf(found.map(presentBlock)))
})
app.patch('/v1/blocks/:id', async (request, response) => {
  const { paragraph } = request.body as { paragraph: Content }
  const content = JSON.stringify({ ...paragraph, color: 'default' })
  const row = await rows.changeContent(idIn(request), content, Date.now())
  if (row) send(response, presentBlock(row))
  else response.sendStatus(404)
})
app.patch('/v1/blocks/:id/children', async (request, response) => {
  const { children } = request.body as { children: readonly SentBlock[] }
  const parentId = idIn(request)
  const parent = await rows.parent(parentId)
  if (!parent) return void response.sendStatus(404)
  const [pageId, parentType] =
    parent.type === 'child_page' ? ([parentId, 'page_id'] as const) : ([parent.page_id ?? '', 'block_id'] as const)
  const time = Date.now()
  const added = rowsOf(children, { parentType, parentId, pageId }, parent.last_rank)
  await rows.append(added, [parentId, pageId], time)
  send(response, listOf(added.map((row) => presentBlock(writtenRow(row, author, time)))))
})
app.post('/v1/pages', async (request, response) => {
  const { parent, properties, children } = request.body as {
    parent: { page_id: string }
    properties: { title: { title: readonly { text: { content: string } }[] } }
    children: readonly SentBlock[]
  }
  const parentRow = await rows.parent(parent.page_id)
  if (!parentRow) return void response.sendStatus(404)
  const { title } = properties.title
  const [rank = ''] = ranksAfter(parentRow.last_rank, 1)
  const above = { parentType: 'page_id', parentId: parent.page_id, pageId: parent.page_id } as const
  const page = { id: randomUUID(), type: 'child_page', ...above, rank, content: JSON.stringify({ title }) }
  const blocks = rowsOf(children, { parentType: 'page_id', parentId: page.id, pageId: page.id }, null)
  const time = Date.now()
  const words = ` ${title.map(({ text }) => text.content.toLowerCase()).join('')} `
  await rows.createPage(page, words, blocks, time)
  const row = { ...writtenRow(page, author, time), is_locked: 0, is_archived: 0 }
  send(response, presentPage(row, baseUrl))
})
app.listen(Number(port), '127.0.0.1')
