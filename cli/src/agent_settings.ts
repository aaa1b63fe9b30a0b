import { Option } from 'commander'
import type { PauseReason } from '../../generated/types.ts'
import { setFavorite } from '@workspace-service/server/store/agent_access.ts'
import { agentTypes, type StoredAgentType } from '@workspace-service/server/store/agents.ts'
import { agentSettingsOf, type AgentSettingOptions } from './agent_file.ts'
import { wholeNumberOption } from './arguments.ts'
import { parseId, type CommandContext } from './command_context.ts'
import { requireChanges, usageError } from './exit_codes.ts'
import { agentOf } from './names.ts'
import type { ServiceCommand, WorkspaceOption } from './service_command.ts'
import { personOf } from './user.ts'

interface CreateOptions extends Omit<AgentSettingOptions, 'name'>, WorkspaceOption {
  readonly id?: string
  readonly type: StoredAgentType
  readonly creditLimit?: Limit
  readonly createdBy?: string
  readonly draft?: true
}

interface UpdateOptions extends AgentSettingOptions, WorkspaceOption {
  readonly creditLimit?: Limit
  readonly pause?: PauseReason
  readonly resume?: true
  readonly publish?: true
  readonly draft?: true
  readonly favoriteOf?: string
  readonly limitRequestOf?: string
}

const FILE_HELP = `
The file is a JSON object with any of name, description, instructions, instructions_page_id, icon, model, connections and triggers,
in the form of the API's responses. Options override the file; an empty value removes a setting.`

/** Each pause reason, and what ends the pause, for administrators. */
const pauseReasons: Readonly<Record<PauseReason, string>> = {
  run_limit: 'the next billing period',
  credit_limit: 'a higher limit, or the next billing period',
  runaway_credit_usage: 'a higher limit, or an editor',
  workspace_credit_limit: 'more credits, or the next billing period',
  failure_limit: 'an editor',
  mark_session_failed_autopause: 'an editor',
  disabled_from_workspace_settings: 'an administrator',
  disabled_from_api: 'a call of the API',
  disabled_from_agent_settings: 'an editor',
  disabled_due_to_no_members_with_access: 'a share',
  disabled_due_to_lack_of_editors: 'a share with edit access',
  disabled_by_service: 'the operator',
  internal_error: 'the operator',
  needs_user_review: 'a review',
  tool_unavailable: 'the tool',
}

/** Credits as an option value: commander does not pass on null. */
export type Limit = number | 'none'

export function parseLimit(text: string): Limit {
  return text === 'none' ? text : wholeNumberOption(0, 1_000_000_000)(text)
}

/** A limit in its stored form: null for none. */
export function limitOf(limit: Limit): number | null {
  return limit === 'none' ? null : limit
}

function withSettings(command: ServiceCommand): ServiceCommand {
  return command
    .option('--description <text>', 'what it is for')
    .option('--instructions <text>', 'its instructions')
    .option('--instructions-page <page>', 'a page to read its instructions from instead')
    .option('--icon <emoji or url>', 'its icon')
    .option('--model <name>', '`auto`, or the public name of a model')
    .option('--file <path>', 'a JSON file with these settings, connections and triggers')
    .option('--credit-limit <credits>', 'credits that it may spend in a calendar month, or none', parseLimit)
    .option('--draft', 'do not publish the settings; runs use the published version')
    .workspaceOption()
}

export function addAgentSettingCommands(agent: ServiceCommand): void {
  withSettings(agent.command('create <name>').description('create an agent; nobody sees it until it is shared'))
    .addOption(new Option('--type <type>', 'its type').choices(agentTypes).default('custom_agent'))
    .option('--id <id>', 'id to use; a new one by default')
    .option('--created-by <person>', 'the member who created it, by id or email address')
    .addHelpText('after', FILE_HELP)
    .example('agent create "Parts Scout" --file parts_scout.json --created-by ines@northshore.example --credit-limit 500')
    .run(create)
  withSettings(agent.command('update <agent>').description('change an agent; omitted settings do not change'))
    .option('--name <name>', 'its name')
    .option('--publish', 'publish the current settings')
    .addOption(new Option('--pause <reason>', 'disable it').choices(Object.keys(pauseReasons)))
    .option('--resume', 'enable it, whatever disabled it')
    .option('--favorite-of <person>', 'add it to the favorites of a member')
    .option('--limit-request-of <person>', 'record that a member has asked for a higher credit limit')
    .addHelpText('after', `${FILE_HELP}\n\nReasons, and what lifts them:\n${reasonLines().join('\n')}`)
    .run(update)
}

function reasonLines(): string[] {
  return Object.entries(pauseReasons).map(([reason, end]) => `  ${reason.padEnd(40)}${end}`)
}

async function create(context: CommandContext, name: string, options: CreateOptions): Promise<void> {
  const { createAgent, plainSettings } = await import('@workspace-service/server/domain/agents/index.ts')
  const settings = { ...plainSettings, ...(await agentSettingsOf({ ...options, name })), name }
  const id = await context.writeIn(
    options.workspace,
    async (db, workspaceId) => {
      const createdBy = options.createdBy === undefined ? null : await personOf(db, workspaceId, options.createdBy)
      const { type, draft } = options
      const creditLimit = limitOf(options.creditLimit ?? 'none')
      const values = { ...settings, workspaceId, type, creditLimit, createdBy, ...(draft && { versionId: null }) }
      return createAgent(db, options.id === undefined ? values : { ...values, id: parseId(options.id, 'an agent') }, Date.now())
    },
    (made) => ({ id: made, name }),
  )
  context.result({ id, name }, () => [
    `Created the agent "${name}": ${id}`,
    `Nobody sees it yet. Share it with: workspace-service agent share ${id} …`,
  ])
}

async function update(context: CommandContext, text: string, options: UpdateOptions): Promise<void> {
  if (options.pause !== undefined && options.resume) throw usageError('Give either --pause or --resume.')
  if (options.draft && options.publish) throw usageError('Give either --draft or --publish.')
  const { workspace: _place, ...values } = options
  requireChanges(values)
  const settings = await agentSettingsOf(options)
  const { requestHigherLimit, updateAgent } = await import('@workspace-service/server/domain/agents/index.ts')
  const changes = {
    settings,
    publish: options.publish ?? (Object.keys(settings).length > 0 && options.draft === undefined),
    ...(options.creditLimit === undefined ? {} : { creditLimit: limitOf(options.creditLimit) }),
    ...(options.pause === undefined ? {} : { pauseReason: options.pause }),
    ...(options.resume === undefined ? {} : { pauseReason: null }),
  }
  const agentId = await context.writeIn(
    options.workspace,
    async (db, workspaceId) => {
      const [now, id] = [Date.now(), await agentOf(db, workspaceId, text)]
      await updateAgent(db, workspaceId, id, changes, now)
      const { favoriteOf, limitRequestOf } = options
      if (favoriteOf !== undefined) await setFavorite(db, workspaceId, id, await personOf(db, workspaceId, favoriteOf), true)
      if (limitRequestOf !== undefined)
        await requestHigherLimit(db, workspaceId, id, await personOf(db, workspaceId, limitRequestOf), now)
      return id
    },
    (id) => ({ id }),
  )
  context.result({ id: agentId, updated: true }, () => [`Changed the agent ${agentId}.`])
}
