import { afterAll, expect, it } from 'vitest'
import { parseConfig } from '../../server/config.ts'
import { placedTables } from '../../server/store/dialects/distribution.ts'
import { openDatabase } from '../../server/store/open.ts'
import { InProcessCommandLine } from '../cli/support.ts'
import { makeDatabase } from '../harness/databases.ts'

/** In a distributed database, the rows of a workspace are on one node, and the engine can only check keys within a node. */

const shared = await makeDatabase('newest')
const database = openDatabase(parseConfig({ DATABASE_URL: shared.url }).database)
afterAll(async () => {
  await database.close()
  await shared.drop()
})

const placements = new Map((await database.read(placedTables)).map(({ name, placement }) => [name, placement]))
const columnOf = (table: string): string | undefined => {
  const placement = placements.get(table)
  return typeof placement === 'object' ? placement.byWorkspace : undefined
}

it('every table has a placement', async () => {
  const rows = await database.read((db) =>
    db.all(
      { name: 'text' },
      `select relname::text as name from pg_class where relnamespace = current_schema::regnamespace and relkind in ('r', 'p')`,
    ),
  )
  const apart = ['budget_windows', 'instance', 'migrations', 'refused_requests']
  expect(rows.map(({ name }) => name).toSorted()).toEqual([...placements.keys(), ...apart].toSorted())
})

it('unique indexes of tables that are placed by workspace begin with the workspace', async () => {
  const rows = await database.read((db) =>
    db.all(
      { index_name: 'text', table_name: 'text', first: 'text' },
      `select i.indexrelid::regclass::text as index_name, i.indrelid::regclass::text as table_name, a.attname::text as first
       from pg_index i join pg_class c on c.oid = i.indrelid join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
       where i.indisunique and c.relnamespace = current_schema::regnamespace and c.relkind in ('r', 'p')`,
    ),
  )
  expect(rows.length).toBeGreaterThan(placements.size)
  const others = rows.filter((row) => ![undefined, row.first].includes(columnOf(row.table_name)))
  expect(others.map((row) => row.index_name)).toEqual([])
})

it('references between tables that are placed by workspace contain the workspace', async () => {
  const rows = await database.read((db) =>
    db.all(
      { key_name: 'text', table_name: 'text', target: 'text', columns: 'text', target_columns: 'text' },
      `select k.conname::text as key_name, k.conrelid::regclass::text as table_name, k.confrelid::regclass::text as target,
         (select string_agg(a.attname, ',' order by n) from unnest(k.conkey) with ordinality u (num, n)
          join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.num) as columns,
         (select string_agg(a.attname, ',' order by n) from unnest(k.confkey) with ordinality u (num, n)
          join pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.num) as target_columns
       from pg_constraint k where k.contype = 'f' and k.connamespace = current_schema::regnamespace`,
    ),
  )
  expect(rows.length).toBeGreaterThan(10)
  const startsWith = (columns: string, column: string | undefined): boolean => columns.split(',')[0] === column
  const wrong = rows.filter(
    ({ table_name: table, target, columns, target_columns: targets }) =>
      columnOf(table) !== undefined &&
      placements.get(target) !== 'on every node' &&
      !(startsWith(columns, columnOf(table)) && startsWith(targets, columnOf(target))),
  )
  expect(wrong).toEqual([])
})

it('503 when the coordinator loses the connection to another node, but not for other internal errors of the engine', async () => {
  const fails = (message: string): Promise<void> =>
    database.write((db) => db.run(`do $$ begin raise exception using errcode = 'XX000', message = '${message}'; end $$`))
  await expect(fails('SSL SYSCALL error: EOF detected')).rejects.toMatchObject({ code: 'service_unavailable', status: 503 })
  await expect(fails('cache lookup failed')).rejects.toMatchObject({ code: 'XX000' })
})

it('database distribute refuses a database without Citus, or without the schema, and says what to do', async () => {
  const cli = new InProcessCommandLine(shared.url)
  expect(await cli.refusal(['database', 'distribute'], 1)).toMatch(/does not have the extension Citus\. Create it on each node/)
  expect((await cli.run(['doctor'])).output).toMatch(/^- +distribution +all tables are on one server$/m)
  await database.write((db) => db.run('delete from migrations where number = (select max(number) from migrations)'))
  expect(await cli.refusal(['database', 'distribute', '--dry-run'], 1)).toContain('Run first: workspace-service migrate')
})
