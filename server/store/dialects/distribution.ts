import type { Connection, Transaction } from '../database.ts'
import { placementOf, type Placement } from '../placement.ts'
import { loadCatalog } from './catalog.ts'

/** A table, and where a distributed database is to keep its rows. */
export interface PlacedTable {
  readonly name: string
  readonly placement: Exclude<Placement, 'apart'>
}

/** The kinds of tables in Citus's catalog. */
type CitusKind = 'distributed' | 'reference' | 'local'

const SHARDS = 32

/** Whether the database has the extension Citus, which distributes tables. */
export async function isDistributable(db: Connection): Promise<boolean> {
  return (await db.get({}, `select 1 from pg_extension where extname = 'citus'`)) !== undefined
}

/** The tables that Citus already knows, with their kinds; none in a database without Citus. */
export async function distributedTables(db: Connection): Promise<ReadonlyMap<string, CitusKind>> {
  if (!(await isDistributable(db))) return new Map()
  const rows = await db.all(
    { name: 'text', kind: ['distributed', 'reference', 'local'] },
    `select c.relname::text as name, case when p.partmethod = 'h' then 'distributed' when p.repmodel = 't' then 'reference' else 'local' end as kind
     from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid where c.relnamespace = current_schema::regnamespace`,
  )
  return new Map(rows.map(({ name, kind }) => [name, kind]))
}

/**
 * The tables that Citus does not yet know. A table comes after those to which it refers.
 * @throws Error if Citus keeps a table in another way than `placementOf` says
 */
export async function unplacedTables(db: Connection): Promise<readonly PlacedTable[]> {
  const known = await distributedTables(db)
  return (await placedTables(db)).filter(({ name, placement }) => {
    const kind = known.get(name)
    if (kind !== undefined && kind !== kindOf(placement))
      throw new Error(`The table ${name} is ${kind}, but has to be ${kindOf(placement)}.`)
    return kind === undefined
  })
}

/** Places the tables that Citus does not yet know, with their rows. */
export async function placeTables(db: Transaction): Promise<void> {
  for (const table of await unplacedTables(db)) await placeTable(db, table)
}

/** The tables of the service that a distributed database has to know, with their placements. */
export async function placedTables(db: Connection): Promise<readonly PlacedTable[]> {
  const catalog = (await loadCatalog('postgresql', db)).toReversed()
  // The catalog omits the words of titles, which follow from the titles.
  const columns = [...catalog.map((table) => [table.name, table.columns.map(({ name }) => name)] as const), TITLE_WORDS]
  const all = columns.flatMap(([name, names]) => {
    const placement = placementOf(name, names)
    if (placement === undefined) throw new Error(`server/store/placement.ts does not place the table ${name}.`)
    return placement === 'apart' ? [] : [{ name, placement }]
  })
  // Tables of workspaces may refer to those on every node, but not the reverse.
  return [
    ...all.filter(({ placement }) => typeof placement === 'string'),
    ...all.filter(({ placement }) => typeof placement === 'object'),
  ]
}

const TITLE_WORDS = ['title_words', ['workspace_id']] as const

function kindOf(placement: PlacedTable['placement']): CitusKind {
  if (typeof placement === 'object') return 'distributed'
  return placement === 'on every node' ? 'reference' : 'local'
}

/**
 * Defaults of the service's role for sessions of a distributed database. Triggers change only rows of the same workspace, which are on the
 * same node, but Citus cannot know that. A transaction may change a table on every node before or after one by workspace, which Citus allows
 * only if it does not use several connections to a node.
 */
const SETTINGS = { 'citus.enable_unsafe_triggers': 'on', 'citus.multi_shard_modify_mode': 'sequential' } as const

/** Without the second one, the planner of a node may scan a whole table: see `sessionSettings`. */
const WANTED_SETTINGS = { ...SETTINGS, enable_seqscan: 'off' } as const

/** Sets the defaults that a distributed database needs, on all nodes. */
export async function applyDistributedSettings(db: Transaction): Promise<void> {
  for (const [name, value] of Object.entries(SETTINGS))
    await db.run(
      `do $$ begin execute format('alter role %I in database %I set ${name} = ${value}', session_user, current_database()); end $$`,
    )
}

/** Places a table, with its rows. */
export async function placeTable(db: Transaction, { name, placement }: PlacedTable): Promise<void> {
  for (const [setting, value] of Object.entries(SETTINGS)) await db.run(`set local ${setting} = ${value}`)
  await dropForeignKeys(db, name, placement)
  if (placement === 'on every node') await db.run('select create_reference_table(?::regclass)', name)
  else if (placement === 'on the coordinator') await db.run('select citus_add_local_table_to_metadata(?::regclass)', name)
  else if (name === 'workspaces')
    await db.run(`select create_distributed_table(?::regclass, ?, shard_count => ${SHARDS})`, name, placement.byWorkspace)
  else await db.run(`select create_distributed_table(?::regclass, ?, colocate_with => 'workspaces')`, name, placement.byWorkspace)
}

/** A table that is not placed by workspace cannot refer to one that is. */
async function dropForeignKeys(db: Transaction, table: string, placement: PlacedTable['placement']): Promise<void> {
  if (typeof placement === 'object') return
  const keys = await db.all(
    { name: 'text', target: 'text' },
    `select conname::text as name, confrelid::regclass::text as target from pg_constraint where contype = 'f' and conrelid = ?::regclass`,
    table,
  )
  const placements = new Map((await placedTables(db)).map((one) => [one.name, one.placement]))
  for (const { name, target } of keys)
    if (placement === 'on the coordinator' || typeof placements.get(target) === 'object')
      await db.run(`alter table ${table} drop constraint ${name}`)
}

/** What is wrong with a distributed database, for `doctor`; undefined if nothing is, or if no table is distributed. */
export async function distributionProblem(db: Connection): Promise<string | undefined> {
  if ((await distributedTables(db)).size === 0) return undefined
  const unplaced = await unplacedTables(db)
  if (unplaced.length > 0) return `tables are not distributed: ${unplaced.map(({ name }) => name).join(', ')}`
  const coordinator = await db.get({ is_coordinator: 'integer' }, 'select citus_is_coordinator()::int as is_coordinator')
  if (coordinator?.is_coordinator !== 1) return 'the address is that of a worker, not of the coordinator'
  const [names, values] = [Object.keys(WANTED_SETTINGS), Object.values(WANTED_SETTINGS).join()]
  const workers = await db.all(
    { node: 'text', result: 'text' },
    `select nodename || ':' || nodeport as node, result from run_command_on_workers(?) where not success or result <> ?`,
    `select concat_ws(',', ${names.map((name) => `current_setting('${name}')`).join(', ')})`,
    values,
  )
  return workers.length === 0 ? undefined : workers.map(({ node, result }) => `${node}: ${result}`).join('; ')
}
