import type { RowSet } from './access_paths.ts'
import type { Connection } from './database.ts'
import { sqlOfTest, type RowTest } from './row_tests.ts'
import { raw, sql } from './sql.ts'

/** What a sample of the rows of a data source shows. */
interface SampledRows {
  /** The number of rows in the sample, whether in the trash or not. */
  readonly looked: number
  /** The rows of the set that pass. */
  readonly passed: number
  /** Those that only their stored form can decide. */
  readonly unknown: number
  /** The id of the last block examined; undefined if there are no more. */
  readonly last: string | undefined
}

/**
 * Tests the rows of a data source among the next `limit` blocks of the workspace in the order of their ids. Ids are random, so these rows
 * are a fair sample; and they lie together, as do their cells, while rows of equal values are scattered over the disk.
 */
export async function samplePassing(
  db: Connection,
  { workspaceId, dataSourceId, inTrash }: RowSet,
  test: RowTest,
  after: string,
  limit: number,
): Promise<SampledRows> {
  const blocks = sql`blocks r where r.workspace_id = ${workspaceId} and r.id > ${after} order by r.id`
  const tested = sqlOfTest(
    test,
    { workspaceId, dataSourceId, inTrash },
    { id: 'p.id', created: 'p.created_time', tie: undefined, block: 'p' },
  )
  const found = await db.get(
    { looked: 'integer', passed: 'integer?', unknown: 'integer?', last: 'text?' },
    sql`select count(*) as looked, sum(case when f.verdict = 1 then 1 else 0 end) as passed,
       sum(case when f.verdict = 2 then 1 else 0 end) as unknown, (select r.id from ${blocks} limit 1 offset ${limit - 1}) as last
     from (select case when p.in_trash = ${raw(Number(inTrash))} then coalesce(cast(${tested} as integer), 2) else 0 end as verdict
       from (select r.id, r.parent_id, r.parent_type, r.in_trash, r.created_time, r.created_by, r.last_edited_time, r.last_edited_by
         from ${blocks} limit ${limit}) as p
       where p.parent_id = ${dataSourceId} and p.parent_type = 'data_source_id') as f`,
  )
  const { looked = 0, passed, unknown, last } = found ?? {}
  return { looked, passed: passed ?? 0, unknown: unknown ?? 0, last: last ?? undefined }
}
