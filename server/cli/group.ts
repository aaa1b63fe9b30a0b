import type { Command } from 'commander'
import {
  addToGroup,
  createGroup,
  listGroupMembers,
  listGroups,
  removeFromGroup,
  requireGroup,
  updateGroup,
} from '../domain/administration/groups.ts'
import type { Connection } from '../store/database.ts'
import type { GroupRow } from '../store/members.ts'
import { workspaceOption } from './arguments.ts'
import { deskOf, parseId, readDatabase, writeDatabase, workspaceOf } from './desk.ts'
import { usageError } from './exit_codes.ts'
import { details, table, timestamp, when, type JsonResult } from './output.ts'
import { personOf } from './user.ts'

interface Options {
  readonly workspace?: string
}

interface SettingOptions extends Options {
  readonly name?: string
  /** Undefined where the option is not given. */
  readonly personalTokens?: boolean
}

export function addGroupCommands(program: Command): void {
  const group = program
    .command('group')
    .description('groups of members: people properties name them, and a workspace may let only some of them hold personal tokens')
  addCreateCommand(group)
  addListCommand(group)
  addShowCommand(group)
  addUpdateCommand(group)
  addMembershipCommands(group)
}

function addCreateCommand(group: Command): void {
  group
    .command('create <name>')
    .description('create an empty group')
    .option('--personal-tokens', 'let its members hold personal tokens if the workspace leaves that to groups')
    .addOption(workspaceOption())
    .addHelpText(
      'after',
      `
Example: a workspace in which only owners and riggers hold personal tokens
  workspace-service group create Riggers --personal-tokens
  workspace-service workspace update 62f746b4-84e6-4ceb-95bd-447e7184d454 --token-holders groups`,
    )
    .action(async (name: string, { personalTokens = false, workspace }: SettingOptions, command: Command) => {
      const desk = deskOf(command)
      const id = await writeDatabase(desk, async (db) =>
        createGroup(db, await workspaceOf(db, workspace), name, personalTokens, Date.now()),
      )
      desk.output.result({ id, name, personal_tokens: personalTokens }, () => [
        `Created the group "${name}": ${id}`,
        `Add members with: workspace-service group add ${id} <person>`,
      ])
    })
}

function addListCommand(group: Command): void {
  group
    .command('list')
    .description('list the groups of a workspace by name')
    .addOption(workspaceOption())
    .action(async ({ workspace }: Options, command: Command) => {
      const desk = deskOf(command)
      const rows = await readDatabase(desk, async (db) => listGroups(db, await workspaceOf(db, workspace)))
      desk.output.result({ results: rows.map(groupJson) }, () =>
        table(
          ['ID', 'NAME', 'PERSONAL TOKENS', 'CREATED'],
          rows.map((row) => [row.id, row.name, row.holds_tokens ? 'yes' : 'no', when(row.created_time)]),
          'There are no groups yet.',
        ),
      )
    })
}

function addShowCommand(group: Command): void {
  group
    .command('show <group>')
    .description('show a group and its members')
    .addOption(workspaceOption())
    .action(async (text: string, { workspace }: Options, command: Command) => {
      const desk = deskOf(command)
      const { row, members } = await readDatabase(desk, async (db) => {
        const workspaceId = await workspaceOf(db, workspace)
        const id = parseId(text)
        return { row: await requireGroup(db, workspaceId, id), members: await listGroupMembers(db, workspaceId, id) }
      })
      desk.output.result(
        { ...groupJson(row), members: members.map(({ id, name, email, role }) => ({ id, name, email, role })) },
        () => [
          ...details([
            ['Name', row.name],
            ['Id', row.id],
            ['Personal tokens', row.holds_tokens ? 'yes' : 'no'],
            ['Created', when(row.created_time)],
          ]),
          '',
          ...table(
            ['MEMBER', 'NAME', 'E-MAIL', 'ROLE'],
            members.map((member) => [member.id, member.name ?? '', member.email ?? '', member.role]),
            'It has no members.',
          ),
        ],
      )
    })
}

function addUpdateCommand(group: Command): void {
  group
    .command('update <group>')
    .description('change a group; whatever is not given stays as it is')
    .option('--name <name>', 'new name')
    .option('--personal-tokens', 'let its members hold personal tokens if the workspace leaves that to groups')
    .option('--no-personal-tokens', 'do not let them; tokens that they hold stop working')
    .addOption(workspaceOption())
    .action(async (text: string, { name, personalTokens, workspace }: SettingOptions, command: Command) => {
      const desk = deskOf(command)
      if (name === undefined && personalTokens === undefined)
        throw usageError('There is nothing to change: give at least one option. See --help.')
      const changes = {
        ...(name !== undefined && { name }),
        ...(personalTokens !== undefined && { holdsTokens: personalTokens }),
      }
      const row = await writeDatabase(desk, async (db) =>
        updateGroup(db, await workspaceOf(db, workspace), parseId(text), changes),
      )
      desk.output.result(groupJson(row), () => [`Changed the group "${row.name}".`])
    })
}

function addMembershipCommands(group: Command): void {
  group
    .command('add <group> <people...>')
    .description('add members, named by id or e-mail address, to a group')
    .addOption(workspaceOption())
    .addHelpText(
      'after',
      `
Example:
  workspace-service group add 7d9f0d6e-0b3a-4c58-9a3e-1f2d6a7c8b90 ines@northshore.example tomas@northshore.example`,
    )
    .action(membershipAction('added', addToGroup))
  group
    .command('remove <group> <people...>')
    .description('take people out of a group')
    .addOption(workspaceOption())
    .action(membershipAction('removed', removeFromGroup))
}

/** Does the same for everyone who is named, or nothing at all. */
function membershipAction(done: 'added' | 'removed', apply: typeof addToGroup) {
  return async (text: string, people: string[], { workspace }: Options, command: Command): Promise<void> => {
    const desk = deskOf(command)
    const id = parseId(text)
    const ids = await writeDatabase(desk, async (db) => {
      const workspaceId = await workspaceOf(db, workspace)
      await requireGroup(db, workspaceId, id)
      return applyToEach(db, workspaceId, people, (personId) => apply(db, workspaceId, id, personId))
    })
    desk.output.result({ id, [done]: ids }, () =>
      people.map((person) => (done === 'added' ? `Added ${person}.` : `Removed ${person}.`)),
    )
  }
}

async function applyToEach(
  db: Connection,
  workspaceId: string,
  people: readonly string[],
  apply: (personId: string) => Promise<void>,
): Promise<string[]> {
  const ids: string[] = []
  for (const person of people) {
    const personId = await personOf(db, workspaceId, person)
    await apply(personId)
    ids.push(personId)
  }
  return ids
}

function groupJson(row: GroupRow): JsonResult {
  return {
    id: row.id,
    name: row.name,
    personal_tokens: Boolean(row.holds_tokens),
    created_time: timestamp(row.created_time),
  }
}
