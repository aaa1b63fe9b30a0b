import type { Connection, Transaction } from '../../store/database.ts'
import { forgetInstanceValue, instanceValue, settleInstanceValue } from '../../store/instance.ts'
import { AdministrationError } from './error.ts'

/** Long operations in many transactions. If one is interrupted, the workspace is not usable. */
export type LongWork = 'deletion' | 'import'

const nameOf = (workspaceId: string): string => `unfinished workspace ${workspaceId}`

/** Notes that the workspace is not whole, until `forgetUnfinished`. */
export async function markUnfinished(db: Transaction, workspaceId: string, work: LongWork): Promise<void> {
  await settleInstanceValue(db, nameOf(workspaceId), work)
}

export async function forgetUnfinished(db: Transaction, workspaceId: string): Promise<void> {
  await forgetInstanceValue(db, nameOf(workspaceId))
}

/** @throws AdministrationError for a workspace of which a part is missing */
export async function requireWhole(db: Connection, workspaceId: string): Promise<void> {
  const work = await instanceValue(db, nameOf(workspaceId))
  if (work !== undefined)
    throw new AdministrationError(
      `The ${work} of this workspace was broken off, and a part of it is missing. Run: workspace-service workspace delete ${workspaceId}`,
    )
}
