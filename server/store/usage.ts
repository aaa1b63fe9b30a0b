import type { Connection, Transaction } from './database.ts'
import { DEFAULT_OWNER } from './dialects/usage_schema.ts'
import type { RowOf } from './row_shape.ts'
import { raw, sql, type Sql } from './sql.ts'
import { usageKinds, type UsageKind } from './usage_kinds.ts'

export { usageKinds, type UsageKind }

/** How much of each kind a workspace contains. */
export type WorkspaceCounts = Readonly<Record<UsageKind, number>>
/** The quota of a workspace for each kind; null if none is set. */
export type Quotas = Readonly<Record<UsageKind, number | null>>

/** A quota that no workspace reaches. It stands for no limit in spite of a default quota. */
export const NO_QUOTA = Number.MAX_SAFE_INTEGER

const KINDS = raw(usageKinds.join(', '))
const LIMITS = raw(usageKinds.map((kind) => `${kind}_max as ${kind}`).join(', '))
const usageRow = { pages: 'integer', blocks: 'integer', notes: 'integer', files: 'integer', bytes: 'integer' } as const
const quotaRow = { pages: 'integer?', blocks: 'integer?', notes: 'integer?', files: 'integer?', bytes: 'integer?' } as const

const NOTHING: WorkspaceCounts = { pages: 0, blocks: 0, notes: 0, files: 0, bytes: 0 }
const NO_QUOTAS: Quotas = { pages: null, blocks: null, notes: null, files: null, bytes: null }

/** The contents of a workspace, as its counters show them. */
export async function findCounts(db: Connection, workspaceId: string): Promise<WorkspaceCounts> {
  return (await db.get(usageRow, sql`select ${KINDS} from workspace_usage where owner_id = ${workspaceId}`)) ?? NOTHING
}

/** The contents of a workspace, counted row by row. */
export async function countUsage(db: Connection, workspaceId: string): Promise<WorkspaceCounts> {
  const row: RowOf<typeof usageRow> | undefined = await db.get(
    usageRow,
    sql`select
      (select count(*) from blocks where workspace_id = ${workspaceId} and type = 'child_page') as pages,
      (select count(*) from blocks where workspace_id = ${workspaceId} and type <> 'child_page') as blocks,
      (select count(*) from blocks where workspace_id = ${workspaceId} and type = 'meeting_notes') as notes,
      (select count(*) from file_uploads where workspace_id = ${workspaceId} and status in ('pending', 'uploaded')) as files,
      (select coalesce(sum(byte_length), 0) from file_parts where workspace_id = ${workspaceId}) as bytes`,
  )
  return row ?? NOTHING
}

/** Sets the counters of a workspace, regardless of its quotas. */
export async function setCounts(db: Transaction, workspaceId: string, usage: WorkspaceCounts): Promise<void> {
  await db.run(sql`insert into workspace_usage (owner_id) values (${workspaceId}) on conflict (owner_id) do nothing`)
  await db.run(
    sql`update workspace_usage set pages = ${usage.pages}, blocks = ${usage.blocks}, notes = ${usage.notes}, files = ${usage.files},
      bytes = ${usage.bytes}, recounts = recounts + 1 where owner_id = ${workspaceId}`,
  )
}

export async function findQuotas(db: Connection, workspaceId: string): Promise<Quotas> {
  return (await db.get(quotaRow, sql`select ${LIMITS} from workspace_quotas where owner_id = ${workspaceId}`)) ?? NO_QUOTAS
}

/** The default quotas, for workspaces without their own. */
export function findDefaultQuotas(db: Connection): Promise<Quotas> {
  return findQuotas(db, DEFAULT_OWNER)
}

/** Whether a workspace has room for `more` of a kind. The result stays true only while other writers of the workspace are excluded. */
export async function hasRoom(db: Connection, workspaceId: string, kind: UsageKind, more: number): Promise<boolean> {
  const quota = (await findQuotas(db, workspaceId))[kind] ?? (await findDefaultQuotas(db))[kind]
  return quota === null || (await findCounts(db, workspaceId))[kind] + more <= quota
}

export async function setQuotas(db: Transaction, workspaceId: string, quotas: Quotas): Promise<void> {
  await db.run(sql`delete from workspace_quotas where owner_id = ${workspaceId}`)
  // If there is no row, the triggers do less work.
  if (usageKinds.every((kind) => quotas[kind] === null)) return
  await db.run(
    sql`insert into workspace_quotas (owner_id, ${raw(usageKinds.map((kind) => `${kind}_max`).join(', '))})
      values (${workspaceId}, ${quotas.pages}, ${quotas.blocks}, ${quotas.notes}, ${quotas.files}, ${quotas.bytes})`,
  )
}

/** Replaces the default quotas, for workspaces without their own. */
export function setDefaultQuotas(db: Transaction, quotas: Quotas): Promise<void> {
  return setQuotas(db, DEFAULT_OWNER, quotas)
}

/** The total contents of all workspaces, and how many workspaces have reached their quotas. */
export interface UsageTotals {
  readonly used: WorkspaceCounts
  readonly full: WorkspaceCounts
}

export async function sumCounts(db: Connection): Promise<UsageTotals> {
  const sum = (values: (kind: UsageKind) => string, condition: (kind: UsageKind) => string): Sql =>
    raw(
      usageKinds
        .map((kind) => `coalesce(sum(case when ${condition(kind)} then ${values(kind)} else 0 end), 0) as ${kind}`)
        .join(', '),
    )
  const quotas = sql`workspace_usage u left join workspace_quotas o on o.owner_id = u.owner_id
    left join workspace_quotas d on d.owner_id = ${DEFAULT_OWNER}`
  const used = sum(
    (kind) => `u.${kind}`,
    () => '1 = 1',
  )
  const full = sum(
    () => '1',
    (kind) => `u.${kind} >= coalesce(o.${kind}_max, d.${kind}_max)`,
  )
  return {
    used: (await db.get(usageRow, sql`select ${used} from workspace_usage u`)) ?? NOTHING,
    full: (await db.get(usageRow, sql`select ${full} from ${quotas}`)) ?? NOTHING,
  }
}

/** Deletes the counters and quotas of a workspace. */
export async function dropUsage(db: Transaction, workspaceId: string): Promise<void> {
  await db.run(sql`delete from workspace_usage where owner_id = ${workspaceId}`)
  await db.run(sql`delete from workspace_quotas where owner_id = ${workspaceId}`)
}
