import { ServiceError } from '../../kernel/errors.ts'
import type { Transaction } from '../../store/database.ts'
import { HOLD_MS } from '../../store/jobs.ts'
import { addRows, idsOutside, type StoredRow } from '../../store/workspace_rows.ts'
import { archivedRow, cellOf, type RuledTable } from './archived_rows.ts'
import type { Import } from './import_deps.ts'
import { damaged, type ArchivedLine } from './lines.ts'

/**
 * Adds rows of a table.
 * @throws AdministrationError that names the line of a row that does not belong to anyone in the workspace
 */
export async function addArchivedRows(
  work: Import,
  db: Transaction,
  table: RuledTable,
  lines: readonly ArchivedLine[],
): Promise<void> {
  const { id } = work.manifest.workspace
  const rows = lines.map((line) => changed(work, table, archivedRow(line, table, id)))
  await requireInside(db, table, rows, lines, id)
  await addRows(db, table, rows, table.name === 'accounts')
}

/** The error of an import if the engine refuses rows. */
export function refusedRows(error: unknown, { name }: RuledTable, lines: readonly ArchivedLine[]): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'conflict_error') return error
  const [from, to] = [lines.at(0)?.number, lines.at(-1)?.number]
  const found = error.cause instanceof Error ? error.cause.message : 'one that does not'
  return damaged(`${name}, lines ${from} to ${to}: expected rows that do not conflict with existing ones, found: ${found}`)
}

/** Checks that rows without a workspace of their own belong to a person or connection in the workspace. */
async function requireInside(
  db: Transaction,
  table: RuledTable,
  rows: readonly StoredRow[],
  lines: readonly ArchivedLine[],
  workspaceId: string,
): Promise<void> {
  const { name } = table
  if (name !== 'accounts' && name !== 'client_secrets') return
  const column = name === 'accounts' ? 'id' : 'client_id'
  const ids = rows.map((row) => String(cellOf(table, row, column)))
  const [outside] = await idsOutside(db, name, workspaceId, ids)
  if (outside === undefined) return
  const expected = name === 'accounts' ? 'the id of a person of the workspace' : 'the client id of a connection of the workspace'
  throw damaged(`${name}, line ${lines[ids.indexOf(outside)]?.number}, ${column}: expected ${expected}, found "${outside}"`)
}

/** The subscription must be verified again: its token was encrypted with an unknown key. */
const UNVERIFIED = { sealed_token: null, status: 'pending_verification', pause_reason: null } as const
const WITHOUT_PASSWORD = { password: null } as const

/** A row in its imported form. */
function changed({ knowsWebhookKey, withCredentials }: Import, table: RuledTable, row: StoredRow): StoredRow {
  if (table.name === 'webhook_subscriptions' && !knowsWebhookKey) return replaced(table, row, UNVERIFIED)
  if (table.name === 'jobs') return held(table, row)
  return table.name === 'accounts' && !withCredentials ? replaced(table, row, WITHOUT_PASSWORD) : row
}

/**
 * Makes a job of the workspace wait until `releaseJobs`, because it needs the workspace to be complete. Otherwise it would run as soon as
 * it is due.
 */
function held(table: RuledTable, row: StoredRow): StoredRow {
  const [state, dueTime] = [cellOf(table, row, 'state'), Number(cellOf(table, row, 'due_time'))]
  return replaced(table, row, { state: state === 'ready' ? 'waiting' : state, due_time: dueTime + HOLD_MS })
}

function replaced({ columns }: RuledTable, row: StoredRow, changes: Readonly<Record<string, StoredRow[number]>>): StoredRow {
  return columns.map(({ name }, index) => (name in changes ? (changes[name] ?? null) : (row[index] ?? null)))
}
