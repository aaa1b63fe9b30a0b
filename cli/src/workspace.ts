import { Option } from 'commander'
import {
  showUsage,
  deleteWorkspace,
  createWorkspace,
  renameWorkspace,
  requirePolicies,
  setWorkspacePolicies,
  setWorkspaceSuspended,
  requireName,
} from '@workspace-service/server/domain/administration/index.ts'
import { findCreditTerms, type CreditTerms } from '@workspace-service/server/store/credits.ts'
import {
  findWorkspace,
  installerPolicies,
  listWorkspaces,
  tokenHolderPolicies,
  type WorkspacePolicies,
} from '@workspace-service/server/store/workspaces.ts'
import { limitOf, parseLimit, type Limit } from './agent_settings.ts'
import { parseId, workspaceOf } from './command_context.ts'
import { requireChanges } from './exit_codes.ts'
import { requireTypedName } from './questions.ts'
import { details, textTable, timestamp, when, type JsonResult } from './output.ts'
import type { ServiceCommand } from './service_command.ts'
import { addQuotaCommand, usageDetails, usageJson } from './workspace_quota.ts'
import { addArchiveCommands } from './workspace_archive.ts'

interface UpdateOptions {
  readonly installers?: (typeof installerPolicies)[number]
  readonly tokenHolders?: (typeof tokenHolderPolicies)[number]
  readonly credits?: Limit
  readonly agentCreditLimit?: Limit
}

export function addWorkspaceCommands(program: ServiceCommand): void {
  const workspace = program.command('workspace').description('workspaces, which contain people, connections and content')
  workspace
    .command('create <name>')
    .description('create an empty workspace')
    .option('--id <id>', 'id to use; a new one by default')
    .run(async (context, text: string, { id }: { id?: string }) => {
      const name = requireName(text)
      const made = await context.write(
        (db) => createWorkspace(db, name, Date.now(), id === undefined ? undefined : parseId(id, 'a workspace')),
        (workspaceId) => ({ workspaceId, id: workspaceId, name }),
      )
      context.result({ id: made, name }, () => [`Created the workspace "${name}": ${made}`])
    })
  workspace
    .command('list')
    .description('list the workspaces, oldest first')
    .run(async (context) => {
      const rows = await context.read(listWorkspaces)
      context.result(
        { results: rows.map(({ id, name, suspended_time }) => ({ id, name, suspended_time: timestamp(suspended_time) })) },
        () =>
          textTable(
            ['ID', 'NAME', 'SUSPENDED'],
            rows.map((row) => [row.id, row.name ?? '', when(row.suspended_time)]),
            'There are no workspaces yet.',
          ),
      )
    })
  addShowCommand(workspace)
  addUpdateCommand(workspace)
  addSwitchCommands(workspace)
  addRenameCommand(workspace)
  addDeleteCommand(workspace)
  addQuotaCommand(workspace)
  addArchiveCommands(workspace)
}

function addShowCommand(workspace: ServiceCommand): void {
  workspace
    .command('show <workspace>')
    .description('show a workspace, its policies and its usage')
    .run(async (context, wanted: string) => {
      const { row, policies, terms, usage } = await context.read(async (db) => {
        const id = await workspaceOf(db, wanted)
        return {
          row: (await listWorkspaces(db)).find((workspaceRow) => workspaceRow.id === id),
          policies: await requirePolicies(db, id),
          terms: await findCreditTerms(db, id),
          usage: await showUsage(db, id),
        }
      })
      const [id, name, suspended] = [row?.id ?? '', row?.name ?? null, row?.suspended_time ?? null]
      context.result(
        { id, name, suspended_time: timestamp(suspended), ...policies, ...termsJson(terms), ...usageJson(usage) },
        () =>
          details([
            ['Name', name ?? ''],
            ['Id', id],
            ['Suspended', when(suspended)],
            ['Connections are authorized by', INSTALLERS[policies.installers]],
            ['Personal tokens are held by', TOKEN_HOLDERS[policies.token_holders]],
            ['Credits in a calendar month', String(terms.credits ?? 'unlimited')],
            ['Limit of each agent', String(terms.defaultAgentLimit ?? 'none')],
            ...usageDetails(usage),
          ]),
      )
    })
}

function termsJson({ credits, defaultAgentLimit }: CreditTerms): JsonResult {
  return { credits, default_agent_credit_limit: defaultAgentLimit }
}

const POLICIES_EXPLAINED = `
A policy applies to existing tokens too: they stop working while it excludes their holders.`

const INSTALLERS: Readonly<Record<Required<WorkspacePolicies>['installers'], string>> = {
  owners: 'owners',
  members: 'owners and members',
}

const TOKEN_HOLDERS: Readonly<Record<Required<WorkspacePolicies>['token_holders'], string>> = {
  owners: 'owners',
  groups: 'owners, and groups with --personal-tokens',
  members: 'owners and members',
}

function addUpdateCommand(workspace: ServiceCommand): void {
  workspace
    .command('update <workspace>')
    .description('change the policies and credits of a workspace; omitted settings do not change')
    .addOption(
      new Option('--installers <who>', 'who may authorize public connections: only owners, or members too').choices(
        installerPolicies,
      ),
    )
    .addOption(
      new Option(
        '--token-holders <who>',
        'who may hold personal tokens: only owners, groups with --personal-tokens too, or all members',
      ).choices(tokenHolderPolicies),
    )
    .option('--credits <credits>', 'what all its agents may spend in a calendar month (UTC), or none for no limit', parseLimit)
    .option('--agent-credit-limit <credits>', 'what each agent may spend in a month, or none for no limit', parseLimit)
    .addHelpText('after', POLICIES_EXPLAINED)
    .example('workspace update 62f746b4-84e6-4ceb-95bd-447e7184d454 --installers owners --token-holders groups')
    .run(async (context, wanted: string, options: UpdateOptions) => {
      requireChanges(options)
      const { installers, tokenHolders, credits, agentCreditLimit } = options
      const changes = { ...(installers && { installers }), ...(tokenHolders && { token_holders: tokenHolders }) }
      const limits = {
        ...(credits === undefined ? {} : { credits: limitOf(credits) }),
        ...(agentCreditLimit === undefined ? {} : { defaultAgentLimit: limitOf(agentCreditLimit) }),
      }
      const { updateCreditTerms } = await import('@workspace-service/server/domain/agents/index.ts')
      const { id, policies, terms } = await context.write(
        async (db) => {
          const found = await workspaceOf(db, wanted)
          await setWorkspacePolicies(db, found, changes)
          if (Object.keys(limits).length > 0) await updateCreditTerms(db, found, limits, Date.now())
          return { id: found, policies: await requirePolicies(db, found), terms: await findCreditTerms(db, found) }
        },
        (changed) => ({ workspaceId: changed.id, id: changed.id }),
      )
      context.result({ id, ...policies, ...termsJson(terms) }, () => [`Changed the workspace ${id}.`])
    })
}

function addSwitchCommands(workspace: ServiceCommand): void {
  for (const suspended of [true, false]) {
    workspace
      .command(suspended ? 'suspend <workspace>' : 'resume <workspace>')
      .description(
        suspended
          ? 'reject all tokens of a workspace until it is resumed'
          : 'make the tokens of a suspended workspace valid again',
      )
      .run(async (context, wanted: string) => {
        const id = await context.write(
          async (db) => {
            const found = await workspaceOf(db, wanted)
            await setWorkspaceSuspended(db, found, suspended, Date.now())
            return found
          },
          (found) => ({ workspaceId: found, id: found }),
        )
        context.result({ id, suspended }, () => [suspended ? `Suspended the workspace ${id}.` : `Resumed the workspace ${id}.`])
      })
  }
}

function addRenameCommand(workspace: ServiceCommand): void {
  workspace
    .command('rename <workspace> <name>')
    .description('rename a workspace; no other workspace may have the new name')
    .run(async (context, wanted: string, text: string) => {
      const { id, name } = await context.write(
        async (db) => {
          const found = await workspaceOf(db, wanted)
          return { id: found, name: await renameWorkspace(db, found, text) }
        },
        (renamed) => ({ ...renamed, workspaceId: renamed.id }),
      )
      context.result({ id, name }, () => [`The workspace ${id} is now called "${name}".`])
    })
}

function addDeleteCommand(workspace: ServiceCommand): void {
  workspace
    .command('delete <workspace>')
    .description('permanently delete a workspace with everything in it, and the accounts of people who are in no other')
    .option('-y, --yes', 'skip the confirmation')
    .addHelpText(
      'after',
      `
The workspace is suspended first, then deleted in small steps while the service serves other workspaces. If the command is interrupted, run it
again. The running service removes the bytes of its files within a few minutes.`,
    )
    .run(async (context, wanted: string, { yes }: { yes?: true }) => {
      const { id, name } = await context.withDatabase(async (database) => {
        const found = await database.read(async (db) => {
          const workspaceId = await workspaceOf(db, wanted)
          return { id: workspaceId, name: (await findWorkspace(db, workspaceId))?.name ?? '' }
        })
        await requireTypedName(
          `Delete the workspace "${found.name}" with everything in it? This cannot be undone.`,
          found.name,
          yes,
        )
        await context.output.during(`Deleting the workspace ${found.id}`, () =>
          deleteWorkspace(database, found.id, Date.now(), (db) => context.record(db, { ...found, workspaceId: null })),
        )
        return found
      })
      context.result({ id, name, deleted: true }, () => [`Deleted the workspace "${name}": ${id}`])
    })
}
