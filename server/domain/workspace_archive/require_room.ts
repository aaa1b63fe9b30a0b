import { findAccount, findAccountByEmail } from '../../store/accounts.ts'
import type { Connection } from '../../store/database.ts'
import { existingIds, listObjectsAfter, type StoredRow } from '../../store/workspace_rows.ts'
import { findWorkspace } from '../../store/workspaces.ts'
import { AdministrationError } from '../shared/index.ts'
import { requireFreeName } from '../administration/index.ts'
import { archivedRow, cellOf, type RuledTable } from './archived_rows.ts'
import type { Import } from './import_deps.ts'
import { readLines } from './lines.ts'

/** @throws AdministrationError if any part of the workspace already exists */
export async function requireRoom(work: Import, tables: readonly RuledTable[]): Promise<void> {
  const { id, name } = work.manifest.workspace
  await work.database.read(async (db) => {
    if (await findWorkspace(db, id))
      throw new AdministrationError(`A workspace with the id ${id} already exists. Delete it, or import into another database.`)
    if (name !== null) await requireFreeName(db, name)
    if ((await listObjectsAfter(db, id, '', 1)).length > 0)
      throw new AdministrationError(
        'The storage still contains files of a deleted workspace with this id. The running service removes them within a few minutes. Import the workspace then.',
      )
  })
  for (const table of tables) {
    if (table.name === 'accounts') await eachPortion(work, table, requireFreeAddresses)
    if (table.name === 'connections' && work.withCredentials) await eachPortion(work, table, requireFreeConnections)
  }
}

type Check = (db: Connection, table: RuledTable, rows: readonly StoredRow[]) => Promise<void>

async function eachPortion({ database, manifest }: Import, table: RuledTable, check: Check): Promise<void> {
  for await (const lines of readLines(table.file)) {
    const rows = lines.map((line) => archivedRow(line, table, manifest.workspace.id))
    await database.read((db) => check(db, table, rows))
  }
}

const requireFreeConnections: Check = async (db, table, rows) => {
  const ids = rows.map((row) => String(cellOf(table, row, 'id')))
  const [taken] = await existingIds(db, 'connections', ids)
  if (taken !== undefined) throw new AdministrationError(`A connection with the client id ${taken} already exists.`)
}

const requireFreeAddresses: Check = async (db, table, rows) => {
  for (const row of rows) {
    const [personId, email] = [String(cellOf(table, row, 'id')), String(cellOf(table, row, 'email'))]
    const [byId, byEmail] = [await findAccount(db, personId), await findAccountByEmail(db, email)]
    if (byId?.id !== byEmail?.id)
      throw new AdministrationError(
        `The account of ${email} has a different id here. Imports keep the ids of people, so the two accounts cannot be merged.`,
      )
  }
}
