import { administer, startServer, urlOf } from '../tests/harness/postgres.ts'
import { createWorkspace } from '../server/domain/administration/workspaces.ts'
import { newId } from '../server/kernel/ids.ts'
import { insertBlocks } from '../server/store/blocks.ts'
import type { Transaction } from '../server/store/database.ts'
import { migrate } from '../server/store/migrations.ts'
import { DEFAULT_OWNER } from '../server/store/dialects/usage_schema.ts'
import { openDatabase } from '../server/store/open.ts'
import { sql } from '../server/store/sql.ts'
import { setDefaultQuotas } from '../server/store/usage.ts'

/**
 * Prints the cost of counting for quotas in a transaction that inserts blocks on PostgreSQL: by triggers, and by statements of the
 * transaction instead. Run `node bench/quota_cost.ts [transactions]`.
 */
const [, , count = '2000'] = process.argv
const ROUNDS = 20
const perRound = Math.ceil(Number(count) / ROUNDS)

const server = await startServer()
await administer(server.url, (admin) => admin.query('create database quota_cost'))
const database = openDatabase({ engine: 'postgresql', url: urlOf(server.url, 'quota_cost') })
await migrate(database)
const workspaceId = await database.write((db) => createWorkspace(db, 'Bench', Date.now()))

async function countByStatement(db: Transaction, blocks: number): Promise<void> {
  await db.run(sql`insert into workspace_usage (owner_id, blocks) values (${workspaceId}, ${blocks})
    on conflict (owner_id) do update set blocks = workspace_usage.blocks + excluded.blocks`)
}

/** Counts, and reads the new count with its limit in the same statement, so the transaction has to await it. */
async function countAndCheck(db: Transaction, blocks: number): Promise<void> {
  const row = await db.get(
    { blocks: 'integer', quota: 'integer?' },
    sql`with counted as (insert into workspace_usage (owner_id, blocks) values (${workspaceId}, ${blocks})
        on conflict (owner_id) do update set blocks = workspace_usage.blocks + excluded.blocks returning blocks)
      select counted.blocks, coalesce(own.blocks_max, common.blocks_max) as quota from counted
        left join workspace_quotas own on own.owner_id = ${workspaceId}
        left join workspace_quotas common on common.owner_id = ${DEFAULT_OWNER}`,
  )
  if (row && row.quota !== null && row.blocks > row.quota) throw new Error('over quota')
}

async function insert(blocks: number, more: (db: Transaction) => Promise<void>): Promise<void> {
  const now = Date.now()
  const [parentId, createdBy] = [newId(), newId()]
  const rows = Array.from({ length: blocks }, (_, index) => ({
    ...({ id: newId(), type: 'paragraph', parentType: 'page_id', parentId, pageId: parentId, rank: `a${index}` } as const),
    ...{ content: { rich_text: [], color: 'default' }, createdTime: now, createdBy },
  }))
  await database.write(async (db) => {
    await insertBlocks(db, workspaceId, rows)
    await more(db)
  }, workspaceId)
}

const nothing = (): Promise<void> => Promise.resolve()
const setTriggers = (state: 'enable' | 'disable') => (): Promise<void> =>
  database.write(async (db) => {
    await db.run(`alter table blocks ${state} trigger usage_of_new_blocks`)
    await db.run(`alter table workspace_usage ${state} trigger user`)
  })
const setQuota = (quota: number | null): Promise<void> =>
  database.write((db) => setDefaultQuotas(db, { pages: null, blocks: quota, notes: null, files: null, bytes: null }))

const [enable, disable] = [setTriggers('enable'), setTriggers('disable')]
const VARIANTS: readonly (readonly [
  name: string,
  prepare: () => Promise<void>,
  after: (db: Transaction, blocks: number) => Promise<void>,
])[] = [
  ['nothing is counted', disable, nothing],
  ['triggers', () => enable().then(() => setQuota(null)), nothing],
  ['triggers, with a quota', () => enable().then(() => setQuota(1e12)), nothing],
  ['a statement that counts', () => disable().then(() => setQuota(null)), countByStatement],
  ['a statement that counts and checks', () => disable().then(() => setQuota(1e12)), countAndCheck],
]

for (const blocks of [1, 100]) {
  const best = new Map<string, number>()
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, prepare, after] of VARIANTS) {
      await prepare()
      const start = performance.now()
      for (let index = 0; index < perRound; index += 1) await insert(blocks, (db) => after(db, blocks))
      const each = ((performance.now() - start) * 1000) / perRound
      best.set(name, Math.min(best.get(name) ?? Infinity, each))
    }
  }
  const base = best.get('nothing is counted') ?? 0
  for (const [name, each] of best)
    console.log(
      `${blocks} blocks  ${name.padEnd(35)} ${each.toFixed(0).padStart(6)} µs  ${(each - base).toFixed(0).padStart(5)} µs more`,
    )
}
await database.close()
await server.stop()
