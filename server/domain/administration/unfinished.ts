import type { Connection, Transaction } from '../../store/database.ts'
import { deleteInstanceValue, instanceValue, setInstanceValue } from '../../store/instance.ts'
import { readUnlessDamaged } from '../../store/stored/read_json.ts'
import { AdministrationError } from '../shared/index.ts'

/** Long operations in many transactions. If one is interrupted, the workspace is not usable. */
export type LongWork = 'deletion' | 'import'

const nameOf = (workspaceId: string): string => `unfinished workspace ${workspaceId}`

/** Records that the workspace is incomplete, until `forgetUnfinished`. */
export async function markUnfinished(db: Transaction, workspaceId: string, work: LongWork): Promise<void> {
  await setInstanceValue(db, nameOf(workspaceId), work)
}

export async function forgetUnfinished(db: Transaction, workspaceId: string): Promise<void> {
  await deleteInstanceValue(db, nameOf(workspaceId))
}

/**
 * Records the progress of an import, in the transaction that makes it.
 * @param progress read by `importProgress`
 */
export async function noteImportProgress(db: Transaction, workspaceId: string, progress: object): Promise<void> {
  await setInstanceValue(db, nameOf(workspaceId), `import ${JSON.stringify(progress)}`)
}

/** The progress of an interrupted import; undefined if there is none that can be resumed. */
export async function importProgress(db: Connection, workspaceId: string): Promise<unknown> {
  const [work, progress] = parted((await instanceValue(db, nameOf(workspaceId))) ?? '')
  if (work !== 'import' || progress === '') return undefined
  return readUnlessDamaged('instance.value', workspaceId, progress)
}

/** The kind of work, and its progress. */
function parted(value: string): readonly [work: string, progress: string] {
  const at = value.indexOf(' ')
  return at < 0 ? [value, ''] : [value.slice(0, at), value.slice(at + 1)]
}

/** @throws AdministrationError for an incomplete workspace */
export async function requireWhole(db: Connection, workspaceId: string): Promise<void> {
  const value = await instanceValue(db, nameOf(workspaceId))
  if (value === undefined) return
  const [work] = parted(value)
  const again = work === 'import' ? 'Import it again to continue. To discard it, run' : 'Run'
  throw new AdministrationError(
    `The ${work} of this workspace was interrupted, and is incomplete. ${again}: workspace-service workspace delete ${workspaceId}`,
  )
}
