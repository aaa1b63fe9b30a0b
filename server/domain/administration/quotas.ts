import type { Connection, Database, Transaction } from '../../store/database.ts'
import {
  countUsage,
  findDefaultQuotas,
  findQuotas,
  findCounts,
  setDefaultQuotas,
  setQuotas,
  setCounts,
  NO_QUOTA,
  usageKinds,
  type Quotas,
  type WorkspaceCounts,
  type UsageKind,
} from '../../store/usage.ts'
import { listWorkspaces, lockWorkspace } from '../../store/workspaces.ts'

export { NO_QUOTA, usageKinds, type Quotas, type WorkspaceCounts, type UsageKind }

export interface WorkspaceUsage {
  readonly used: WorkspaceCounts
  /** The workspace's own quotas, or the default ones; null for no limit. */
  readonly quotas: Quotas
  /** Whether a quota is the workspace's own. */
  readonly isOwn: Readonly<Record<UsageKind, boolean>>
}

export async function showUsage(db: Connection, workspaceId: string): Promise<WorkspaceUsage> {
  const [own, common] = [await findQuotas(db, workspaceId), await findDefaultQuotas(db)]
  return {
    used: await findCounts(db, workspaceId),
    quotas: byKind((kind) => {
      const quota = own[kind] ?? common[kind]
      return quota === NO_QUOTA ? null : quota
    }),
    isOwn: byKind((kind) => own[kind] !== null),
  }
}

/**
 * Changes quotas of a workspace. Existing contents above a lower quota stay.
 * @param changes null for the default quota, `NO_QUOTA` for none
 */
export async function changeQuotas(db: Transaction, workspaceId: string, changes: Partial<Quotas>): Promise<void> {
  await lockWorkspace(db, workspaceId)
  const own = await findQuotas(db, workspaceId)
  await setQuotas(db, workspaceId, { ...own, ...changes })
}

/** Stores the quotas from the settings as the default for workspaces. */
export async function settleDefaultQuotas(database: Database, quotas: Quotas): Promise<void> {
  const stored = await database.read(findDefaultQuotas)
  if (usageKinds.every((kind) => stored[kind] === quotas[kind])) return
  await database.write((db) => setDefaultQuotas(db, quotas))
}

/** A workspace whose counters differ from its contents. */
export interface Miscount {
  readonly workspaceId: string
  readonly counted: WorkspaceCounts
  readonly found: WorkspaceCounts
}

/**
 * Counts the contents of every workspace, row by row.
 * @returns the workspaces whose counters are wrong
 */
export async function findMiscounts(database: Database): Promise<readonly Miscount[]> {
  const wrong: Miscount[] = []
  for (const { id: workspaceId } of await database.read(listWorkspaces)) {
    const miscount = await database.snapshot(async (db) => {
      const [counted, found] = [await findCounts(db, workspaceId), await countUsage(db, workspaceId)]
      return usageKinds.some((kind) => counted[kind] !== found[kind]) ? { workspaceId, counted, found } : undefined
    })
    if (miscount) wrong.push(miscount)
  }
  return wrong
}

/** Sets the counters of a workspace to the actual numbers. */
export async function recount(db: Transaction, workspaceId: string): Promise<void> {
  await lockWorkspace(db, workspaceId)
  await setCounts(db, workspaceId, await countUsage(db, workspaceId))
}

function byKind<T>(value: (kind: UsageKind) => T): Readonly<Record<UsageKind, T>> {
  return { pages: value('pages'), blocks: value('blocks'), notes: value('notes'), files: value('files'), bytes: value('bytes') }
}
