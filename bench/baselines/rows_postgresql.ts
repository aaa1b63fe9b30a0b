import pg from 'pg'
import { BLOCK_COLUMNS, type Author, type BlockRow, type NewRow, type PageRow, type ParentRow, type Rows } from './rows.ts'

const INSERTED = `select $1::uuid, n.id, n.type, n.parent_type, n.parent_id, n.page_id, n.rank, n.content, $2::bigint, $3::uuid, $2, $3
  from unnest($4::uuid[], $5::text[], $6::text[], $7::uuid[], $8::uuid[], $9::text[], $10::text[])
  as n (id, type, parent_type, parent_id, page_id, rank, content)`
const INTO_BLOCKS = `insert into blocks (workspace_id, id, type, parent_type, parent_id, page_id, rank, content,
  created_time, created_by, last_edited_time, last_edited_by)`

/** Rows of a PostgreSQL database, by named statements on a pool: one trip for a read, two for a write. */
export async function postgresqlRows(url: string): Promise<{ rows: Rows; author: Author }> {
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  const found = await pool.query<Author>('select workspace_id as "workspaceId", created_by as "userId" from blocks limit 1')
  const [author] = found.rows
  if (!author) throw new Error('the database has no blocks')
  const { workspaceId, userId } = author
  const query = async <T extends object>(name: string, text: string, values: readonly unknown[]): Promise<T[]> =>
    (await pool.query<T>({ name, text, values: [...values] })).rows
  const columnsOf = (blocks: readonly NewRow[]): unknown[] => [
    blocks.map(({ id }) => id),
    blocks.map(({ type }) => type),
    blocks.map(({ parentType }) => parentType),
    blocks.map(({ parentId }) => parentId),
    blocks.map(({ pageId }) => pageId),
    blocks.map(({ rank }) => rank),
    blocks.map(({ content }) => content),
  ]
  const here = 'b.workspace_id = $1 and b.id = $2'
  const rows: Rows = {
    async block(id) {
      return (await query<BlockRow>('block', `select ${BLOCK_COLUMNS} from blocks b where ${here}`, [workspaceId, id]))[0]
    },
    async page(id) {
      const text = `select ${BLOCK_COLUMNS}, p.is_locked, p.is_archived from blocks b
        join pages p on p.workspace_id = b.workspace_id and p.id = b.id where ${here}`
      return (await query<PageRow>('page', text, [workspaceId, id]))[0]
    },
    children: (parentId, limit) =>
      query<BlockRow>(
        'children',
        `select ${BLOCK_COLUMNS} from blocks b where b.workspace_id = $1 and b.parent_id = $2 and b.in_trash = 0
          order by b.rank limit $3`,
        [workspaceId, parentId, limit],
      ),
    async changeContent(id, content, time) {
      await query('seen', `select b.content from blocks b where ${here}`, [workspaceId, id])
      const text = `update blocks as b set content = $3, last_edited_time = $4, last_edited_by = $5 where ${here}
        returning *, null as has_children`
      return (await query<BlockRow>('change', text, [workspaceId, id, content, time, userId]))[0]
    },
    async parent(id) {
      const text = `select b.type, b.page_id, (select c.rank from blocks c where c.workspace_id = b.workspace_id
        and c.parent_id = b.id and c.in_trash = 0 order by c.rank desc limit 1) as last_rank from blocks b where ${here}`
      return (await query<ParentRow>('place', text, [workspaceId, id]))[0]
    },
    async append(blocks, above, time) {
      const text = `with edited as (update blocks b set last_edited_time = $2, last_edited_by = $3
        where b.workspace_id = $1 and b.id = any($11::uuid[])) ${INTO_BLOCKS} ${INSERTED}`
      await query('append', text, [workspaceId, time, userId, ...columnsOf(blocks), above])
    },
    async createPage(page, words, blocks, time) {
      const text = `with made as (${INTO_BLOCKS} ${INSERTED} returning id),
        page as (insert into pages (workspace_id, id) select $1, id from made where id = $11),
        title as (insert into titles (workspace_id, id, kind, parent_id, above_id, in_trash, last_edited_time, words, head)
          select $1, id, 'page', $12, $12, 0, $2, $13, $13 from made where id = $11)
        select 1`
      await query('create', text, [workspaceId, time, userId, ...columnsOf([page, ...blocks]), page.id, page.parentId, words])
    },
  }
  return { rows, author }
}
