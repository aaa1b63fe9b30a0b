import {
  addToGroup,
  createGroup,
  removeFromGroup,
  requireGroup,
  updateGroup,
} from '@workspace-service/server/domain/administration/index.ts'
import { listGroupMembers, listGroups, type GroupRow } from '@workspace-service/server/store/members.ts'
import type { CommandContext } from './command_context.ts'
import { requireChanges } from './exit_codes.ts'
import { groupOf } from './names.ts'
import { details, textTable, timestamp, when, type JsonResult } from './output.ts'
import type { ServiceCommand, WorkspaceOption } from './service_command.ts'
import { personOf } from './user.ts'

interface SettingOptions extends WorkspaceOption {
  readonly name?: string
  /** Undefined if the option is not given. */
  readonly personalTokens?: boolean
}

export function addGroupCommands(program: ServiceCommand): void {
  const group = program
    .command('group')
    .description('groups of members, which people properties can contain; a workspace may limit personal tokens to some groups')
  addCreateCommand(group)
  addListCommand(group)
  addShowCommand(group)
  addUpdateCommand(group)
  addMembershipCommands(group)
}

function addCreateCommand(group: ServiceCommand): void {
  group
    .command('create <name>')
    .description('create an empty group')
    .option('--personal-tokens', 'let its members hold personal tokens where the workspace limits them to groups')
    .workspaceOption()
    .addHelpText(
      'after',
      `
Example: a workspace in which only owners and riggers hold personal tokens
  workspace-service group create Riggers --personal-tokens
  workspace-service workspace update 62f746b4-84e6-4ceb-95bd-447e7184d454 --token-holders groups`,
    )
    .run(async (context, name: string, { personalTokens = false, workspace }: SettingOptions) => {
      const id = await context.writeIn(
        workspace,
        (db, workspaceId) => createGroup(db, workspaceId, name, personalTokens, Date.now()),
        (made) => ({ id: made, name }),
      )
      context.result({ id, name, personal_tokens: personalTokens }, () => [
        `Created the group "${name}": ${id}`,
        `Add members with: workspace-service group add ${id} <person>`,
      ])
    })
}

function addListCommand(group: ServiceCommand): void {
  group
    .command('list')
    .description('list the groups of a workspace by name')
    .workspaceOption()
    .run(async (context, { workspace }: WorkspaceOption) => {
      const rows = await context.readIn(workspace, listGroups)
      context.list(rows, groupJson, 'There are no groups yet.', ['ID', 'NAME', 'PERSONAL TOKENS', 'CREATED'], (row) => [
        row.id,
        row.name,
        row.holds_tokens ? 'yes' : 'no',
        when(row.created_time),
      ])
    })
}

function addShowCommand(group: ServiceCommand): void {
  group
    .command('show <group>')
    .description('show a group and its members')
    .workspaceOption()
    .run(async (context, text: string, { workspace }: WorkspaceOption) => {
      const { row, members } = await context.readIn(workspace, async (db, workspaceId) => {
        const id = await groupOf(db, workspaceId, text)
        return { row: await requireGroup(db, workspaceId, id), members: await listGroupMembers(db, workspaceId, id) }
      })
      context.result(
        { ...groupJson(row), members: members.map(({ id, name, email, role }) => ({ id, name, email, role })) },
        () => [
          ...details([
            ['Name', row.name],
            ['Id', row.id],
            ['Personal tokens', row.holds_tokens ? 'yes' : 'no'],
            ['Created', when(row.created_time)],
          ]),
          '',
          ...textTable(
            ['MEMBER', 'NAME', 'EMAIL', 'ROLE'],
            members.map((member) => [member.id, member.name ?? '', member.email ?? '', member.role]),
            'It has no members.',
          ),
        ],
      )
    })
}

function addUpdateCommand(group: ServiceCommand): void {
  group
    .command('update <group>')
    .description('change a group; omitted settings do not change')
    .option('--name <name>', 'new name')
    .option('--personal-tokens', 'let its members hold personal tokens where the workspace limits them to groups')
    .option('--no-personal-tokens', 'do not let its members hold personal tokens; existing ones stop working')
    .workspaceOption()
    .run(async (context, text: string, { name, personalTokens, workspace }: SettingOptions) => {
      requireChanges({ name, personalTokens })
      const changes = {
        ...(name !== undefined && { name }),
        ...(personalTokens !== undefined && { holdsTokens: personalTokens }),
      }
      const row = await context.writeIn(
        workspace,
        async (db, workspaceId) => updateGroup(db, workspaceId, await groupOf(db, workspaceId, text), changes),
        (group) => ({ id: group.id, name: group.name }),
      )
      context.result(groupJson(row), () => [`Changed the group "${row.name}".`])
    })
}

function addMembershipCommands(group: ServiceCommand): void {
  group
    .command('add <group> <people...>')
    .description('add members, given by id, email address or name, to a group')
    .workspaceOption()
    .example('group add 7d9f0d6e-0b3a-4c58-9a3e-1f2d6a7c8b90 ines@northshore.example tomas@northshore.example')
    .run(membershipChange('Added', addToGroup))
  group
    .command('remove <group> <people...>')
    .description('remove people from a group')
    .workspaceOption()
    .run(membershipChange('Removed', removeFromGroup))
}

/** Applies the change to all people given, or to none. */
function membershipChange(done: 'Added' | 'Removed', apply: typeof addToGroup) {
  return async (context: CommandContext, text: string, people: string[], { workspace }: WorkspaceOption): Promise<void> => {
    const ids: string[] = []
    const id = await context.writeIn(
      workspace,
      async (db, workspaceId) => {
        const found = await groupOf(db, workspaceId, text)
        await requireGroup(db, workspaceId, found)
        for (const person of people) {
          const personId = await personOf(db, workspaceId, person)
          await apply(db, workspaceId, found, personId)
          ids.push(personId)
        }
        return found
      },
      (found) => ids.map((personId) => ({ id: found, name: personId })),
    )
    context.result({ id, [done.toLowerCase()]: ids }, () => people.map((person) => `${done} ${person}.`))
  }
}

function groupJson(row: GroupRow): JsonResult {
  return {
    id: row.id,
    name: row.name,
    personal_tokens: Boolean(row.holds_tokens),
    created_time: timestamp(row.created_time),
  }
}
