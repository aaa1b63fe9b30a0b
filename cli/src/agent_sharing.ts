import { Option } from 'commander'
import type { AgentRecipient, AgentLevel } from '@workspace-service/server/domain/agents/index.ts'
import type { Connection } from '@workspace-service/server/store/database.ts'
import type { CommandContext } from './command_context.ts'
import { usageError } from './exit_codes.ts'
import { agentOf, connectionOf } from './names.ts'
import type { ServiceCommand, WorkspaceOption } from './service_command.ts'
import { personOf } from './user.ts'

const NONE = 'none'
const LEVELS: readonly (AgentLevel | typeof NONE)[] = ['view', 'edit', 'full', NONE]

interface Options extends WorkspaceOption {
  readonly member?: string
  readonly connection?: string
  readonly everybody?: true
  readonly level: AgentLevel | typeof NONE
  readonly by?: string
}

export function addAgentShareCommand(agent: ServiceCommand): void {
  agent
    .command('share <agent>')
    .description('share an agent with a member, with all full members, or with a connection')
    .option('--member <person>', 'a member, by id or email address')
    .option('--everybody', 'all owners and members of the workspace')
    .option('--connection <id>', 'the bots that a connection has in the workspace')
    .addOption(
      new Option(
        '--level <level>',
        'view: see and run it; edit: also hidden fields and its status; full: also limit and delete it',
      )
        .choices(LEVELS)
        .makeOptionMandatory(),
    )
    .option('--by <person>', 'the member on whose behalf it is shared; a connection never gets more access than this member has')
    .workspaceOption()
    .addHelpText(
      'after',
      `
A member's own level takes precedence over that of everybody. Level none removes a share. When nobody has edit access any
more, the agent is disabled until somebody has it.

Example:
  workspace-service agent share 95814675-5260-4ba9-9362-3b53b93e295f --member ines@northshore.example --level full`,
    )
    .run(share)
}

async function share(context: CommandContext, text: string, options: Options): Promise<void> {
  const { shareAgent } = await import('@workspace-service/server/domain/agents/index.ts')
  const level = options.level === NONE ? null : options.level
  const { id, given } = await context.writeIn(
    options.workspace,
    async (db, workspaceId) => {
      const agentId = await agentOf(db, workspaceId, text)
      const sharedBy = options.by === undefined ? null : await personOf(db, workspaceId, options.by)
      const recipient = await recipientOf(db, workspaceId, options)
      return { id: agentId, given: await shareAgent(db, workspaceId, agentId, recipient, { level, sharedBy }, Date.now()) }
    },
    (shared) => ({ id: shared.id }),
  )
  context.result({ id, level: given ?? NONE }, () => [
    given === null
      ? `Stopped sharing ${id}.`
      : `Shared ${id} with ${given} access${given === level ? '' : `, because ${options.by ?? ''} has no more`}.`,
  ])
}

async function recipientOf(
  db: Connection,
  workspaceId: string,
  { member, connection, everybody }: Options,
): Promise<AgentRecipient> {
  if ([member, connection, everybody].filter((option) => option !== undefined).length !== 1)
    throw usageError('Give one of --member, --connection and --everybody.')
  if (member !== undefined) return { personId: await personOf(db, workspaceId, member) }
  return connection === undefined ? { everybody: true } : { connectionId: await connectionOf(db, connection) }
}
