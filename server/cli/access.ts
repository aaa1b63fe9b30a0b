import { Argument, type Command } from 'commander'
import { closeItem, listMemberAccess, setMemberAccess } from '../domain/sharing.ts'
import { accessLevels, type AccessLevel } from '../store/access.ts'
import type { Connection } from '../store/database.ts'
import { workspaceOption } from './arguments.ts'
import { deskOf, parseId, readDatabase, writeDatabase, workspaceOf } from './desk.ts'
import { CommandError } from './exit_codes.ts'
import { table } from './output.ts'
import { personOf, writeAbout } from './user.ts'

interface Options {
  readonly workspace?: string
}

const EVERYBODY = 'everybody'

const HOW_RULES_APPLY = `
A rule applies to a page or database and everything below it. The nearest rule decides, one for a person before one for everybody.
Where there is no rule, owners and members have full access, restricted members and guests none. What connections see is a matter
of shares: workspace-service connection share.`

export function addAccessCommands(program: Command): void {
  const access = program.command('access').description('what people may do with pages and databases')
  addShowCommand(access)
  addSetCommand(access)
  addClearCommand(access)
  addCloseCommand(access)
}

function addShowCommand(access: Command): void {
  access
    .command('show <item>')
    .description('show the rules on a page or database and on everything above it, nearest first')
    .addOption(workspaceOption())
    .addHelpText('after', HOW_RULES_APPLY)
    .action(async (text: string, { workspace }: Options, command: Command) => {
      const desk = deskOf(command)
      const id = parseId(text)
      const rules = await readDatabase(desk, async (db) => listMemberAccess(db, await workspaceOf(db, workspace), id))
      desk.output.result({ id, rules: rules.map(({ itemId, subject, level }) => ({ item_id: itemId, subject, level })) }, () =>
        table(
          ['ITEM', 'FOR', 'ACCESS'],
          rules.map(({ itemId, subject, level }) => [itemId, subject, level]),
          'There are no rules on it or above it: owners and members have full access, restricted members and guests none.',
        ),
      )
    })
}

function addSetCommand(access: Command): void {
  access
    .command('set')
    .argument('<item>', 'a page or database')
    .argument('<person>', 'a member, by id or e-mail address, or `everybody`')
    .addArgument(
      new Argument('<level>', 'none; read; edit: also change content; full: also share and connect').choices(accessLevels),
    )
    .description('set what a member, or everybody, may do with a page or database')
    .addOption(workspaceOption())
    .addHelpText(
      'after',
      `${HOW_RULES_APPLY}

Example: let a guest read one page
  workspace-service access set 8c3f846c-c6a9-42d3-83f8-4c485e5c4176 guest@northshore.example read`,
    )
    .action(async (text: string, person: string, level: AccessLevel, { workspace }: Options, command: Command) => {
      const desk = deskOf(command)
      const id = parseId(text)
      const subject = await writeDatabase(desk, async (db) => {
        const workspaceId = await workspaceOf(db, workspace)
        const found = person === EVERYBODY ? EVERYBODY : await personOf(db, workspaceId, person)
        await setMemberAccess(db, workspaceId, id, found, level, Date.now())
        return found
      })
      desk.output.result({ id, subject, level }, () => [`Set access of ${person} to ${id}: ${level}.`])
    })
}

function addClearCommand(access: Command): void {
  access
    .command('clear <item> <person>')
    .description('remove the rule for a member, or for `everybody`, from a page or database')
    .addOption(workspaceOption())
    .action(async (text: string, person: string, { workspace }: Options, command: Command) => {
      const desk = deskOf(command)
      const id = parseId(text)
      const subject = await writeDatabase(desk, async (db) => {
        const workspaceId = await workspaceOf(db, workspace)
        const found = await subjectOf(db, workspaceId, person)
        const rules = await listMemberAccess(db, workspaceId, id)
        if (!rules.some((rule) => rule.itemId === id && rule.subject === found))
          throw new CommandError(`${id} has no rule of its own for ${person}. See: workspace-service access show ${id}`)
        await setMemberAccess(db, workspaceId, id, found, null, Date.now())
        return found
      })
      desk.output.result({ id, subject, cleared: true }, () => [`Removed the rule for ${person} from ${id}.`])
    })
}

/** Whom a rule is for. Rules for people who have left can be removed by id. */
async function subjectOf(db: Connection, workspaceId: string, text: string): Promise<string> {
  if (text === EVERYBODY) return EVERYBODY
  return text.includes('@') ? personOf(db, workspaceId, text) : parseId(text)
}

function addCloseCommand(access: Command): void {
  access
    .command('close <item> <person>')
    .description('close a page or database to everybody but one member, who gets full access')
    .addOption(workspaceOption())
    .addHelpText(
      'after',
      `
Rules for other members on the item itself are removed. Rules on items below it stay, and so do shares with connections.

Example:
  workspace-service access close 3af9f30c-5a66-4477-bda9-d8c096d38ff5 ines@northshore.example`,
    )
    .action(async (text: string, person: string, { workspace }: Options, command: Command) => {
      const desk = deskOf(command)
      const id = parseId(text)
      const personId = await writeAbout(desk, workspace, person, (db, workspaceId, found) =>
        closeItem(db, workspaceId, id, found, Date.now()),
      )
      desk.output.result({ id, person_id: personId, closed: true }, () => [`Closed ${id} to everybody but ${person}.`])
    })
}
