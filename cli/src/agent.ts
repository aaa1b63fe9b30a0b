import type { AgentShare } from '@workspace-service/server/domain/agents/index.ts'
import { listAgentRecords, type AgentRecord } from '@workspace-service/server/store/agents.ts'
import { addAgentSettingCommands } from './agent_settings.ts'
import { addAgentShareCommand } from './agent_sharing.ts'
import { workspaceOf } from './command_context.ts'
import { agentOf } from './names.ts'
import { details, textTable, timestamp, when, type JsonResult, type PrintedJson } from './output.ts'
import type { ServiceCommand, WorkspaceOption } from './service_command.ts'

export function addAgentCommands(program: ServiceCommand): void {
  const agent = program.command('agent').description('agents of a workspace; the API can run them but not create them')
  addAgentSettingCommands(agent)
  addListCommand(agent)
  addShowCommand(agent)
  addAgentShareCommand(agent)
  addSwitchCommand(agent, 'delete', 'delete an agent; it can be restored for 30 days')
  addSwitchCommand(agent, 'restore', 'restore a deleted agent')
}

function addListCommand(agent: ServiceCommand): void {
  agent
    .command('list')
    .description('list the agents of a workspace, including deleted ones, oldest first')
    .workspaceOption()
    .run(async (context, { workspace }: WorkspaceOption) => {
      const { asOf, isGone, agentStatusOf } = await import('@workspace-service/server/domain/agents/index.ts')
      const now = Date.now()
      const records = await context.read(async (db) => listAgentRecords(db, await workspaceOf(db, workspace)))
      const current = records.filter((record) => !isGone(record, now)).map((record) => asOf(record, now))
      const agents = current.map((record) => ({ ...record, status: agentStatusOf(record) }))
      context.list(agents, summaryOf, 'There are no agents yet.', ['ID', 'NAME', 'TYPE', 'STATUS', 'REASON'], (record) => [
        record.id,
        record.name,
        record.type,
        record.status,
        record.pauseReason ?? '',
      ])
    })
}

function addShowCommand(agent: ServiceCommand): void {
  agent
    .command('show <agent>')
    .description('show an agent and who it is shared with')
    .workspaceOption()
    .run(async (context, text: string, { workspace }: WorkspaceOption) => {
      const { agentStatusOf, listAgentShares, requireAgent } = await import('@workspace-service/server/domain/agents/index.ts')
      const now = Date.now()
      const { found, shares } = await context.readIn(workspace, async (db, workspaceId) => {
        const id = await agentOf(db, workspaceId, text)
        return {
          found: await requireAgent(db, workspaceId, id, now),
          shares: await listAgentShares(db, workspaceId, id, now),
        }
      })
      const record = { ...found, status: agentStatusOf(found) }
      context.result({ ...agentJson(record), shares: shares.map(shareJson) }, () => [
        ...details(linesOf(record)),
        '',
        ...textTable(
          ['SHARED WITH', 'ACCESS', 'BY'],
          shares.map(({ subjectId, level, sharedBy }) => [subjectId, level, sharedBy ?? '']),
          'It is not shared with anybody.',
        ),
      ])
    })
}

function addSwitchCommand(agent: ServiceCommand, name: 'delete' | 'restore', description: string): void {
  agent
    .command(`${name} <agent>`)
    .description(description)
    .workspaceOption()
    .run(async (context, text: string, { workspace }: WorkspaceOption) => {
      const { deleteAgentAsAdministrator, restoreAgent } = await import('@workspace-service/server/domain/agents/index.ts')
      const apply = name === 'delete' ? deleteAgentAsAdministrator : restoreAgent
      const id = await context.writeIn(
        workspace,
        async (db, workspaceId) => {
          const found = await agentOf(db, workspaceId, text)
          await apply(db, workspaceId, found, Date.now())
          return found
        },
        (found) => ({ id: found }),
      )
      context.result({ id, [`${name}d`]: true }, () => [`${name === 'delete' ? 'Deleted' : 'Restored'} the agent ${id}.`])
    })
}

function shareJson({ subjectId, level, sharedBy }: AgentShare): JsonResult {
  return { subject_id: subjectId, level, shared_by: sharedBy }
}

interface ShownAgent extends AgentRecord {
  readonly status: string
}

function summaryOf(record: ShownAgent): JsonResult {
  return {
    id: record.id,
    name: record.name,
    agent_type: record.type,
    status: record.status,
    pause_reason: record.pauseReason,
    credit_limit: record.creditLimit,
    version: record.version?.number ?? null,
  }
}

function agentJson(record: ShownAgent): JsonResult {
  return {
    ...summaryOf(record),
    description: record.description,
    instructions: record.instructions,
    instructions_page_id: record.instructionsPageId,
    icon: record.icon as PrintedJson,
    model: { ...record.model },
    connections: record.connections as PrintedJson[],
    triggers: record.triggers as PrintedJson[],
    has_unpublished_changes: record.hasUnpublishedChanges,
    created_by: record.createdBy,
    created_time: timestamp(record.createdTime),
    last_edited_time: timestamp(record.lastEditedTime),
    last_run_time: timestamp(record.lastRunTime),
    deleted_time: timestamp(record.deletedTime),
  }
}

function linesOf(record: ShownAgent): [string, string][] {
  const version = record.version === null ? 'none' : String(record.version.number)
  return [
    ['Name', record.name],
    ['Id', record.id],
    ['Type', record.type],
    ['Status', record.pauseReason === null ? record.status : `${record.status} (${record.pauseReason})`],
    ['Description', record.description ?? ''],
    ['Model', record.model.mode === 'auto' ? 'auto' : (record.model.id ?? 'unnamed')],
    ['Connections', String(record.connections.length)],
    ['Triggers', String(record.triggers.length)],
    ['Credit limit', record.creditLimit === null ? 'none' : String(record.creditLimit)],
    ['Version', record.hasUnpublishedChanges ? `${version}, with changes that are not published` : version],
    ['Last run', when(record.lastRunTime)],
    ['Deleted', when(record.deletedTime)],
  ]
}
