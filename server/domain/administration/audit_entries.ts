import { findLastScanned, listAuditLog, type AuditFilter, type AuditLogRow } from '../../store/audit_log.ts'
import type { Connection } from '../../store/database.ts'
import { listMemberships } from '../../store/members.ts'
import { findBotIds, findUsers } from '../../store/users.ts'
import { findWorkspace } from '../../store/workspaces.ts'
import { roleOf } from '../shared/index.ts'

/** The command line as an actor. */
export const COMMAND_LINE = 'command_line'

/** Which entries to list. Omitted members do not restrict them. */
export interface AuditQuery extends Omit<AuditFilter, 'actorIds' | 'after'> {
  /** The id of a person, a bot or a connection, or `COMMAND_LINE`. */
  readonly actor?: string | undefined
  /** The `nextCursor` of the previous page. */
  readonly cursor?: string | undefined
}

/** Something with its current name; null if it has none or no longer exists. */
interface Named {
  readonly id: string
  readonly name: string | null
}

/** An entry of the audit log. */
export interface AuditEntry {
  readonly time: number
  readonly action: string
  /** Undefined for the command line. */
  readonly actor: (Named & { readonly type: 'person' | 'bot' }) | undefined
  /** Its name is that at the time of the action. */
  readonly object: { readonly type: string; readonly id: string | null; readonly name: string | null } | undefined
  /** Undefined if the entry concerns the deployment. */
  readonly workspace: Named | undefined
  readonly requestId: string | null
  readonly address: string | null
}

export interface AuditPage {
  readonly entries: readonly AuditEntry[]
  /** Where the next page begins; undefined on the last one. */
  readonly nextCursor: string | undefined
}

/** Entries of the audit log, newest first. A page may have fewer than `limit`, or none, and yet a next one: see `SCANNED_ENTRIES_MAX`. */
export async function findAuditEntries(
  db: Connection,
  { actor, cursor, ...filter }: AuditQuery,
  limit: number,
): Promise<AuditPage> {
  const actorIds = actor === undefined ? undefined : await idsOf(db, actor)
  const after = cursor === undefined ? undefined : parseCursor(cursor)
  const wanted = { ...filter, actorIds, after }
  const rows = await listAuditLog(db, wanted, limit + 1)
  const listed = rows.slice(0, limit)
  const last = rows.length > limit ? listed.at(-1) : await findLastScanned(db, wanted)
  return { entries: await withNames(db, listed), nextCursor: last && `${last.created_time}-${last.number}` }
}

/** The same for an owner of the workspace. @returns undefined if the person does not own it */
export async function findOwnedAuditEntries(
  db: Connection,
  personId: string,
  query: AuditQuery & { readonly workspaceId: string },
  limit: number,
): Promise<AuditPage | undefined> {
  const memberships = await listMemberships(db, personId)
  const isOwner = memberships.some(({ workspace_id: id, role }) => id === query.workspaceId && roleOf(role) === 'owner')
  return isOwner ? findAuditEntries(db, query, limit) : undefined
}

const CURSOR = /^(\d{1,15})-(\d{1,15})$/

/** Whether the text has the form of a `nextCursor`. */
export function isAuditCursor(text: string): boolean {
  return CURSOR.test(text)
}

function parseCursor(text: string): AuditFilter['after'] {
  const [, time, number] = CURSOR.exec(text) ?? []
  return { created_time: Number(time), number: Number(number) }
}

/** The ids under which an actor is recorded: those of a person, of a bot, or of all bots of a connection. */
async function idsOf(db: Connection, actor: string): Promise<string[]> {
  return actor === COMMAND_LINE ? [] : [actor, ...(await findBotIds(db, actor))]
}

async function withNames(db: Connection, rows: readonly AuditLogRow[]): Promise<AuditEntry[]> {
  const names = await namesOf(db, rows)
  const named = (id: string): Named => ({ id, name: names.get(id) ?? null })
  return rows.map((row) => ({
    time: row.created_time,
    action: row.action,
    actor: actorOf(row, named),
    object: row.object_type === null ? undefined : { type: row.object_type, id: row.object_id, name: row.object_name },
    workspace: row.workspace_id === null ? undefined : named(row.workspace_id),
    requestId: row.request_id,
    address: row.address,
  }))
}

function actorOf({ person_id: personId, bot_id: botId }: AuditLogRow, named: (id: string) => Named): AuditEntry['actor'] {
  if (personId !== null) return { type: 'person', ...named(personId) }
  return botId === null ? undefined : { type: 'bot', ...named(botId) }
}

/** The current names of workspaces and actors. */
async function namesOf(db: Connection, rows: readonly AuditLogRow[]): Promise<ReadonlyMap<string, string | null>> {
  const names = new Map<string, string | null>()
  for (const [workspaceId, ofWorkspace] of Map.groupBy(rows, ({ workspace_id: id }) => id)) {
    if (workspaceId === null) continue
    names.set(workspaceId, (await findWorkspace(db, workspaceId))?.name ?? null)
    const ids = new Set(ofWorkspace.flatMap(({ person_id: personId, bot_id: botId }) => personId ?? botId ?? []))
    for (const { id, name } of await findUsers(db, workspaceId, [...ids])) names.set(id, name)
  }
  return names
}
