import { DatabaseSync } from 'node:sqlite'
import { SqliteStatement } from '../../server/store/dialects/sqlite_statement.ts'
import { undashed } from '../../server/kernel/ids.ts'
import { BLOCK_COLUMNS, type Author, type BlockRow, type NewRow, type PageRow, type ParentRow, type Rows } from './rows.ts'

/** Rows of an SQLite file, by prepared statements. A commit is on disk when it returns, as in the service. */
export function sqliteRows(file: string): { rows: Rows; author: Author } {
  const db = new DatabaseSync(file)
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;')
  // Ids are bytes in the file and text in responses, as in the service.
  const prepare = (sql: string): SqliteStatement => new SqliteStatement(db, sql)
  const author = prepare('select workspace_id as workspaceId, created_by as userId from blocks limit 1').get(
    [],
  ) as unknown as Author
  const [workspaceId, userId] = [author.workspaceId, author.userId].map((id) => `x'${undashed(id)}'`)
  const here = `b.workspace_id = ${workspaceId}`
  const oneBlock = prepare(`select ${BLOCK_COLUMNS} from blocks b where ${here} and b.id = ?`)
  const onePage = prepare(`select ${BLOCK_COLUMNS}, p.is_locked, p.is_archived from blocks b
    join pages p on p.workspace_id = b.workspace_id and p.id = b.id where ${here} and b.id = ?`)
  const children = prepare(`select ${BLOCK_COLUMNS} from blocks b where ${here} and b.parent_id = ? and b.in_trash = 0
    order by b.rank limit ?`)
  const change = prepare(`update blocks as b set content = ?, last_edited_time = ?, last_edited_by = ${userId}
    where ${here} and b.id = ? returning *, null as has_children`)
  const parent = prepare(`select b.type, b.page_id, (select c.rank from blocks c where c.workspace_id = b.workspace_id
    and c.parent_id = b.id and c.in_trash = 0 order by c.rank desc limit 1) as last_rank from blocks b where ${here} and b.id = ?`)
  const edited = prepare(`update blocks as b set last_edited_time = ?, last_edited_by = ${userId} where ${here} and b.id = ?`)
  const insert = prepare(`insert into blocks (workspace_id, id, type, parent_type, parent_id, page_id, rank, content,
    created_time, created_by, last_edited_time, last_edited_by)
    values (${workspaceId}, ?, ?, ?, ?, ?, ?, ?, ?, ${userId}, ?, ${userId})`)
  const insertPage = prepare(`insert into pages (workspace_id, id) values (${workspaceId}, ?)`)
  const insertTitle =
    prepare(`insert into titles (workspace_id, id, kind, parent_id, above_id, in_trash, last_edited_time, words, head)
    values (${workspaceId}, ?, 'page', ?, ?, 0, ?, ?, ?)`)

  const within = (work: () => void): void => {
    db.exec('begin immediate')
    work()
    db.exec('commit')
  }
  const insertBlock = ({ id, type, parentType, parentId, pageId, rank, content }: NewRow, time: number): void =>
    void insert.run([id, type, parentType, parentId, pageId, rank, content, time, time])
  const rows: Rows = {
    block: (id) => oneBlock.get([id]) as unknown as BlockRow | undefined,
    page: (id) => onePage.get([id]) as unknown as PageRow | undefined,
    children: (parentId, limit) => children.all([parentId, limit]) as unknown as BlockRow[],
    changeContent: (id, content, time) => change.get([content, time, id]) as unknown as BlockRow | undefined,
    parent: (id) => parent.get([id]) as unknown as ParentRow | undefined,
    append: (blocks, above, time) =>
      within(() => {
        for (const block of blocks) insertBlock(block, time)
        for (const id of above) edited.run([time, id])
      }),
    createPage: (page, words, blocks, time) =>
      within(() => {
        insertBlock(page, time)
        insertPage.run([page.id])
        insertTitle.run([page.id, page.parentId, page.parentId, time, words, words])
        for (const block of blocks) insertBlock(block, time)
      }),
  }
  return { rows, author }
}
