import { Argument } from 'commander'
import { closeItem, listMemberAccess, setMemberAccess } from '@workspace-service/server/domain/people/index.ts'
import { accessLevels, type AccessLevel } from '@workspace-service/server/store/access.ts'
import type { Connection } from '@workspace-service/server/store/database.ts'
import { CommandError } from './exit_codes.ts'
import { idIn } from '@workspace-service/server/kernel/ids.ts'
import { itemNamed } from './names.ts'
import { textTable } from './output.ts'
import type { ServiceCommand, WorkspaceOption } from './service_command.ts'
import { changeMember, personOf } from './user.ts'

const EVERYBODY = 'everybody'

const HOW_RULES_APPLY = `
A rule applies to a page or database and everything below it. The nearest rule decides, one for a person before one for everybody.
Without a rule, owners and members have full access; restricted members and guests have none. Connections see what is shared with
them: workspace-service connection share.`

export function addAccessCommands(program: ServiceCommand): void {
  const access = program.command('access').description('what people may do with pages and databases')
  addShowCommand(access)
  addSetCommand(access)
  addClearCommand(access)
  addCloseCommand(access)
}

function addShowCommand(access: ServiceCommand): void {
  access
    .command('show <item>')
    .description('show the rules on a page or database and on everything above it, nearest first')
    .workspaceOption()
    .addHelpText('after', HOW_RULES_APPLY)
    .run(async (context, text: string, { workspace }: WorkspaceOption) => {
      const { id, rules } = await context.readIn(workspace, async (db, workspaceId) => {
        const found = await itemNamed(db, workspaceId, text)
        return { id: found, rules: await listMemberAccess(db, workspaceId, found) }
      })
      context.result({ id, rules: rules.map(({ itemId, subject, level }) => ({ item_id: itemId, subject, level })) }, () =>
        textTable(
          ['ITEM', 'FOR', 'ACCESS'],
          rules.map(({ itemId, subject, level }) => [itemId, subject, level]),
          'No rule applies to it: owners and members have full access; restricted members and guests have none.',
        ),
      )
    })
}

function addSetCommand(access: ServiceCommand): void {
  access
    .command('set')
    .argument('<item>', 'a page or database, by id or title')
    .argument('<person>', 'a member, by id, email address or name, or `everybody`')
    .addArgument(
      new Argument('<level>', 'none; read; edit: also change content; full: also share and connect').choices(accessLevels),
    )
    .description('set what a member, or everybody, may do with a page or database')
    .workspaceOption()
    .addHelpText('after', HOW_RULES_APPLY)
    .example('access set 8c3f846c-c6a9-42d3-83f8-4c485e5c4176 guest@northshore.example read', ' let a guest read one page')
    .run(async (context, text: string, person: string, level: AccessLevel, { workspace }: WorkspaceOption) => {
      const { id, subject } = await context.writeIn(
        workspace,
        async (db, workspaceId) => {
          const found = person === EVERYBODY ? EVERYBODY : await personOf(db, workspaceId, person)
          const itemId = await itemNamed(db, workspaceId, text)
          await setMemberAccess(db, workspaceId, itemId, found, level, Date.now())
          return { id: itemId, subject: found }
        },
        changedRule,
      )
      context.result({ id, subject, level }, () => [`Set access of ${person} to ${id}: ${level}.`])
    })
}

/** The item of a rule, and whom the rule is for. */
function changedRule({ id, subject }: { readonly id: string; readonly subject: string }): { id: string; name: string } {
  return { id, name: subject }
}

function addClearCommand(access: ServiceCommand): void {
  access
    .command('clear <item> <person>')
    .description('remove the rule for a member, or for `everybody`, from a page or database')
    .workspaceOption()
    .run(async (context, text: string, person: string, { workspace }: WorkspaceOption) => {
      const { id, subject } = await context.writeIn(
        workspace,
        async (db, workspaceId) => {
          const found = await subjectOf(db, workspaceId, person)
          const itemId = await itemNamed(db, workspaceId, text)
          const rules = await listMemberAccess(db, workspaceId, itemId)
          if (!rules.some((rule) => rule.itemId === itemId && rule.subject === found))
            throw new CommandError(`${itemId} has no rule of its own for ${person}. See: workspace-service access show ${itemId}`)
          await setMemberAccess(db, workspaceId, itemId, found, null, Date.now())
          return { id: itemId, subject: found }
        },
        changedRule,
      )
      context.result({ id, subject, cleared: true }, () => [`Removed the rule for ${person} from ${id}.`])
    })
}

/** The subject of a rule. Rules for people who have left can be removed by the person's id. */
async function subjectOf(db: Connection, workspaceId: string, text: string): Promise<string> {
  if (text === EVERYBODY) return EVERYBODY
  return idIn(text) ?? personOf(db, workspaceId, text)
}

function addCloseCommand(access: ServiceCommand): void {
  access
    .command('close <item> <person>')
    .description('close a page or database to everybody but one member, who gets full access')
    .workspaceOption()
    .addHelpText(
      'after',
      '\nRules for other members on the item itself are removed. Rules on items below it stay, and so do shares with connections.',
    )
    .example('access close 3af9f30c-5a66-4477-bda9-d8c096d38ff5 ines@northshore.example')
    .run(async (context, text: string, person: string, { workspace }: WorkspaceOption) => {
      let id = ''
      const personId = await changeMember(context, workspace, person, async (db, workspaceId, found) => {
        id = await itemNamed(db, workspaceId, text)
        await closeItem(db, workspaceId, id, found, Date.now())
      })
      context.result({ id, person_id: personId, closed: true }, () => [`Closed ${id} to everybody but ${person}.`])
    })
}
