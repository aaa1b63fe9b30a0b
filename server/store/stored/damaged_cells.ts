import type { Database } from '../database.ts'
import { loadCatalog } from '../dialects/catalog.ts'
import { sql } from '../sql.ts'
import { streamWhere } from '../workspace_rows.ts'
import type { OuterRules } from './outer_rules.ts'
import { brokenReferences } from './references.ts'
import { checkedTables, describeMismatch, mismatchesOf, type CheckedTable } from './row_rules.ts'

const ROWS_AT_ONCE = 500
/** The maximum number of problems reported for each column: a damaged page has many rows, and a few of them are enough. */
const SHOWN_MAX = 3

/**
 * Reads every cell of the database, and reports cells that violate the form of their column or refer to missing rows.
 * @returns sentences that begin with the table and the key of the row
 */
export async function* damagedCells(database: Database, rules: OuterRules): AsyncGenerator<string, void, undefined> {
  // Every table of the service has a key. A table without one belongs to another program.
  const tables = (await database.read((db) => loadCatalog(database.engine, db))).filter(({ key }) => key.length > 0)
  for (const table of checkedTables(tables, rules)) yield* problemsOf(database, table)
  yield* readable('references', () => brokenCells(database, tables))
}

async function* problemsOf(database: Database, checked: CheckedTable): AsyncGenerator<string, void, undefined> {
  const { table } = checked
  const keyAt = table.key.map((name) => table.columns.findIndex((column) => column.name === name))
  yield* readable(table.name, async () => {
    const problems: string[] = []
    const counts = new Map<string, number>()
    await database.read(async (db) => {
      for await (const rows of streamWhere(db, table, sql`1 = 1`, ROWS_AT_ONCE)) {
        for (const row of rows) {
          for (const mismatch of mismatchesOf(checked, row)) {
            const count = (counts.get(mismatch.column) ?? 0) + 1
            counts.set(mismatch.column, count)
            if (count <= SHOWN_MAX)
              problems.push(`${table.name} ${keyText(keyAt.map((at) => row[at]))}, ${describeMismatch(mismatch)}`)
          }
        }
      }
    })
    const more = [...counts].filter(([, count]) => count > SHOWN_MAX)
    return [...problems, ...more.map(([column, count]) => `${table.name}, ${column}: ${count - SHOWN_MAX} more`)]
  })
}

async function brokenCells(database: Database, tables: Awaited<ReturnType<typeof loadCatalog>>): Promise<string[]> {
  const problems: string[] = []
  // A snapshot is needed because values are compared with results of other statements.
  await database.snapshot(async (db) => {
    for await (const { table, key, column, expected, found } of brokenReferences(db, tables, SHOWN_MAX))
      problems.push(`${table} ${keyText(key)}, ${column}: expected ${expected}, found ${keyText([found])}`)
  })
  return problems
}

/** The problems that a check finds, or the failure of the check itself. */
async function* readable(subject: string, check: () => Promise<string[]>): AsyncGenerator<string, void, undefined> {
  try {
    yield* await check()
  } catch (error) {
    yield `${subject} cannot be read: ${error instanceof Error ? String(error.cause ?? error) : String(error)}`
  }
}

/** The key of a row as text. A digest of a secret is shown only by its beginning. */
function keyText(key: readonly unknown[]): string {
  return key.map((part) => (part instanceof Uint8Array ? `${Buffer.from(part).toString('hex', 0, 4)}…` : String(part))).join('/')
}
