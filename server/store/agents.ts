import type { Connection, Transaction } from './database.ts'
import { rowOf, type RowOf } from './row_shape.ts'
import { raw, sql, joinSql } from './sql.ts'
import { readJson, readNullableJson } from './stored/read_json.ts'

export const agentTypes = ['custom_agent', 'autofill_custom_agent', 'external'] as const
export type StoredAgentType = (typeof agentTypes)[number]

export type StoredModel = { readonly mode: 'auto' } | { readonly mode: 'pinned'; readonly id: string | null }

interface AgentVersion {
  readonly id: string
  readonly number: number
  readonly publishedTime: number
}

/** An agent as stored. The domain defines the forms of icons, connections, triggers and pause reasons. */
export interface AgentRecord {
  readonly id: string
  readonly type: StoredAgentType
  readonly name: string
  readonly description: string | null
  readonly instructions: string | null
  readonly instructionsPageId: string | null
  readonly icon: unknown
  readonly model: StoredModel
  readonly connections: readonly unknown[]
  readonly triggers: readonly unknown[]
  readonly pauseReason: string | null
  /** When the pause ends by itself; null if it does not. */
  readonly pauseEndTime: number | null
  readonly deletedTime: number | null
  /** The agent's own credit limit. */
  readonly creditLimit: number | null
  /** The published version. */
  readonly version: AgentVersion | null
  readonly hasUnpublishedChanges: boolean
  readonly createdBy: string | null
  readonly createdTime: number
  readonly lastEditedTime: number
  readonly lastRunTime: number | null
}

export const agentRow = rowOf({
  id: 'text',
  type: agentTypes,
  name: 'text',
  description: 'text?',
  instructions: 'text?',
  instructions_page_id: 'text?',
  icon: 'text?',
  model_mode: ['auto', 'pinned'],
  model_id: 'text?',
  connections: 'text',
  triggers: 'text',
  pause_reason: 'text?',
  pause_end_time: 'integer?',
  deleted_time: 'integer?',
  credit_limit: 'integer?',
  version_id: 'text?',
  version_number: 'integer?',
  version_time: 'integer?',
  has_unpublished_changes: 'integer',
  created_by: 'text?',
  created_time: 'integer',
  last_edited_time: 'integer',
  last_run_time: 'integer?',
})
type AgentRow = RowOf<typeof agentRow>

/** The columns of `agentRow` of a table or query with this alias. */
export function agentColumns(alias: string): string {
  return Object.keys(agentRow)
    .map((name) => `${alias}.${name}`)
    .join(', ')
}

export function agentFromRow(row: AgentRow): AgentRecord {
  const { version_id: versionId, version_number: number, version_time: publishedTime } = row
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    description: row.description,
    instructions: row.instructions,
    instructionsPageId: row.instructions_page_id,
    icon: readNullableJson('agents.icon', row.id, row.icon),
    model: modelOf(row.model_mode, row.model_id),
    connections: readJson('agents.connections', row.id, row.connections) as unknown[],
    triggers: readJson('agents.triggers', row.id, row.triggers) as unknown[],
    pauseReason: row.pause_reason,
    pauseEndTime: row.pause_end_time,
    deletedTime: row.deleted_time,
    creditLimit: row.credit_limit,
    version: versionId === null || number === null || publishedTime === null ? null : { id: versionId, number, publishedTime },
    hasUnpublishedChanges: row.has_unpublished_changes > 0,
    createdBy: row.created_by,
    createdTime: row.created_time,
    lastEditedTime: row.last_edited_time,
    lastRunTime: row.last_run_time,
  }
}

function modelOf(mode: 'auto' | 'pinned', id: string | null): StoredModel {
  return mode === 'auto' ? { mode } : { mode, id }
}

export async function findAgentRecord(db: Connection, workspaceId: string, id: string): Promise<AgentRecord | undefined> {
  const row = await db.get(
    agentRow,
    sql`select ${raw(agentColumns('a'))} from agents a where a.workspace_id = ${workspaceId} and a.id = ${id}`,
  )
  return row && agentFromRow(row)
}

/** Like `findAgentRecord`, and locks the row against other writers until the transaction ends. */
export async function lockAgentRecord(db: Transaction, workspaceId: string, id: string): Promise<AgentRecord | undefined> {
  const row = await db.get(
    agentRow,
    sql`select ${raw(agentColumns('a'))} from agents a where a.workspace_id = ${workspaceId}
      and a.id = ${id}${raw(db.forUpdate)}`,
  )
  return row && agentFromRow(row)
}

/** All agents of a workspace, deleted ones included, oldest first. Unbounded: for administration only. */
export async function listAgentRecords(db: Connection, workspaceId: string): Promise<AgentRecord[]> {
  const rows = await db.all(
    agentRow,
    sql`select ${raw(agentColumns('a'))} from agents a where a.workspace_id = ${workspaceId} order by a.created_time, a.id`,
  )
  return rows.map(agentFromRow)
}

export type AgentSettings = Pick<
  AgentRecord,
  'name' | 'description' | 'instructions' | 'instructionsPageId' | 'icon' | 'model' | 'connections' | 'triggers'
>

/** Settings as columns. @param serverHosts the hosts of its tool servers, one per line, in lower case */
function settingColumns(settings: AgentSettings, serverHosts: string): Readonly<Record<string, string | null>> {
  return {
    name: settings.name,
    lower_name: settings.name.toLowerCase(),
    description: settings.description,
    lower_description: (settings.description ?? '').toLowerCase(),
    instructions: settings.instructions,
    instructions_page_id: settings.instructionsPageId,
    icon: settings.icon === null ? null : JSON.stringify(settings.icon),
    model_mode: settings.model.mode,
    model_id: settings.model.mode === 'auto' ? null : settings.model.id,
    connections: JSON.stringify(settings.connections),
    server_hosts: serverHosts,
    triggers: JSON.stringify(settings.triggers),
  }
}

export async function insertAgent(
  db: Transaction,
  workspaceId: string,
  agent: Omit<AgentRecord, 'version' | 'hasUnpublishedChanges'>,
  serverHosts: string,
): Promise<void> {
  const columns = {
    workspace_id: workspaceId,
    id: agent.id,
    type: agent.type,
    ...settingColumns(agent, serverHosts),
    pause_reason: agent.pauseReason,
    pause_end_time: agent.pauseEndTime,
    deleted_time: agent.deletedTime,
    credit_limit: agent.creditLimit,
    has_unpublished_changes: 1,
    created_by: agent.createdBy,
    created_time: agent.createdTime,
    last_edited_time: agent.lastEditedTime,
    last_run_time: agent.lastRunTime,
  }
  await db.insert({ table: 'agents', columns: Object.keys(columns), rows: [Object.values(columns)] })
  await insertBotOfAgent(db, workspaceId, agent)
}

/** Adds a bot with the agent's id. It is the author of the agent's changes. */
async function insertBotOfAgent(
  db: Transaction,
  workspaceId: string,
  { id, name, createdTime, deletedTime }: Pick<AgentRecord, 'id' | 'name' | 'createdTime' | 'deletedTime'>,
): Promise<void> {
  await db.run(
    sql`insert into users (workspace_id, id, kind, name, created_time, left_time)
      values (${workspaceId}, ${id}, 'bot', ${name}, ${createdTime}, ${deletedTime})`,
  )
}

/** Stores settings without publishing them, and renames the agent's bot. */
export async function updateAgentSettings(
  db: Transaction,
  workspaceId: string,
  id: string,
  settings: AgentSettings,
  serverHosts: string,
  now: number,
): Promise<void> {
  const columns = settingColumns(settings, serverHosts)
  const assignments = Object.entries(columns).map(([name, value]) => sql`${raw(name)} = ${value}`)
  await db.run(
    sql`update agents set ${joinSql(assignments, ', ')}, has_unpublished_changes = 1, last_edited_time = ${now}
      where workspace_id = ${workspaceId} and id = ${id}`,
  )
  await db.run(sql`update users set name = ${settings.name} where workspace_id = ${workspaceId} and id = ${id}`)
}

/** Publishes the current settings as a version. */
export async function publishVersion(
  db: Transaction,
  workspaceId: string,
  agentId: string,
  version: AgentVersion,
): Promise<void> {
  await db.run(
    sql`insert into agent_versions (workspace_id, id, agent_id, number, published_time, instructions, instructions_page_id,
      model_mode, model_id)
     select workspace_id, ${version.id}, id, ${version.number}, ${version.publishedTime}, instructions, instructions_page_id,
     model_mode, model_id from agents where workspace_id = ${workspaceId} and id = ${agentId}`,
  )
  await db.run(
    sql`update agents set version_id = ${version.id}, version_number = ${version.number}, version_time = ${version.publishedTime},
      has_unpublished_changes = 0 where workspace_id = ${workspaceId} and id = ${agentId}`,
  )
}

/** The settings that a run of an agent needs. */
export type RunContent = Pick<AgentRecord, 'instructions' | 'instructionsPageId' | 'model'>

const contentRow = rowOf({
  instructions: 'text?',
  instructions_page_id: 'text?',
  model_mode: ['auto', 'pinned'],
  model_id: 'text?',
})

/** The settings of a published version that a run needs. */
export async function findVersionContent(db: Connection, workspaceId: string, id: string): Promise<RunContent | undefined> {
  const row = await db.get(
    contentRow,
    sql`select instructions, instructions_page_id, model_mode, model_id from agent_versions where workspace_id = ${workspaceId}
      and id = ${id}`,
  )
  return (
    row && {
      instructions: row.instructions,
      instructionsPageId: row.instructions_page_id,
      model: modelOf(row.model_mode, row.model_id),
    }
  )
}
