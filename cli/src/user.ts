import { Argument, Option } from 'commander'
import {
  changeRole,
  createPerson,
  createSignInLink,
  normalEmail,
  removePerson,
  setPassword,
  setPersonTimeZone,
} from '@workspace-service/server/domain/administration/index.ts'
import { roles } from '@workspace-service/server/domain/shared/index.ts'
import { findAccountByEmail } from '@workspace-service/server/store/accounts.ts'
import type { Connection, Transaction } from '@workspace-service/server/store/database.ts'
import { listMembers, listMemberships, type MemberRow, type Role } from '@workspace-service/server/store/members.ts'
import type { Changed, CommandContext } from './command_context.ts'
import { CommandError, usageError } from './exit_codes.ts'
import { timestamp, when, type JsonResult } from './output.ts'
import { idIn } from '@workspace-service/server/kernel/ids.ts'
import { chooseByName } from './names.ts'
import { askNewPassword } from './questions.ts'
import type { ServiceCommand, WorkspaceOption } from './service_command.ts'
import { linkJson, linkLines, wholeLink } from './sign_in_address.ts'

const ROLE_NAMES: Readonly<Record<Role, string>> = {
  owner: 'owner',
  member: 'member',
  restricted: 'restricted member',
  guest: 'guest',
}

const ROLES_EXPLAINED = `
Owners and members see everything that no rule closes to them. Restricted members and guests see only what is shared with them,
hold no personal tokens and authorize no connections.`

interface CreateOptions extends WorkspaceOption {
  readonly name: string
  readonly role: Role
  readonly password?: true
  readonly passwordStdin?: true
  readonly link?: true
}

export function addUserCommands(program: ServiceCommand): void {
  const user = program.command('user').description('people, who can sign in, authorize connections and hold personal tokens')
  addCreateCommand(user)
  addListCommand(user)
  addRoleCommand(user)
  addTimeZoneCommand(user)
  user
    .command('link <email>')
    .description('create a link that signs a person in, once, within an hour')
    .run(async (context, email: string) => {
      const { link } = await context.write(
        async (db) => ({
          link: await wholeLink(context, db, await createSignInLink(db, email, Date.now())),
          places: await placesOf(db, email),
        }),
        ({ places }) => places,
      )
      context.result(linkJson(link), () => linkLines(link))
    })
  user
    .command('password <email>')
    .description('set a new password and sign the person out everywhere')
    .option('--password-stdin', 'read the password from the first line of standard input')
    .run(async (context, email: string, { passwordStdin }: { passwordStdin?: true }) => {
      const password = await askNewPassword(email, passwordStdin)
      await context.write(
        async (db) => {
          await setPassword(db, email, password)
          return placesOf(db, email)
        },
        (places) => places,
      )
      context.result({ email, changed: true }, () => [`Set a new password for ${email}.`])
    })
  user
    .command('remove <person>')
    .description(
      'remove a person, given by id, email address or name, from a workspace: their tokens and authorizations stop working, what they wrote stays',
    )
    .workspaceOption()
    .run(async (context, text: string, { workspace }: WorkspaceOption) => {
      const id = await changeMember(context, workspace, text, (db, workspaceId, personId) =>
        removePerson(db, workspaceId, personId, Date.now()),
      )
      context.result({ id, removed: true }, () => [`Removed ${text} from the workspace.`])
    })
}

/** A change of an account concerns each workspace of the person. */
async function placesOf(db: Connection, email: string): Promise<Changed[]> {
  const account = await findAccountByEmail(db, normalEmail(email))
  const memberships = account ? await listMemberships(db, account.id) : []
  return memberships.map(({ workspace_id: workspaceId }) => ({ workspaceId, id: account?.id ?? null, name: email }))
}

function addRoleCommand(user: ServiceCommand): void {
  user
    .command('role')
    .argument('<person>', 'a member, by id, email address or name')
    .addArgument(new Argument('<role>', 'the new role').choices(roles))
    .description('change the role of a member; it applies from the next request of every token that acts for them')
    .workspaceOption()
    .addHelpText('after', ROLES_EXPLAINED)
    .example('user role tomas@northshore.example guest')
    .run(async (context, text: string, role: Role, { workspace }: WorkspaceOption) => {
      const id = await changeMember(context, workspace, text, (db, workspaceId, personId) =>
        changeRole(db, workspaceId, personId, role),
      )
      context.result({ id, role }, () => [`${text} is now ${role === 'owner' ? 'an' : 'a'} ${ROLE_NAMES[role]}.`])
    })
}

function addTimeZoneCommand(user: ServiceCommand): void {
  user
    .command('time-zone <person> [zone]')
    .description('set the time zone that templates use for a person, such as Europe/Lisbon; without one, clear it')
    .workspaceOption()
    .run(async (context, text: string, zone: string | undefined, { workspace }: WorkspaceOption) => {
      const id = await changeMember(context, workspace, text, (db, workspaceId, personId) =>
        setPersonTimeZone(db, workspaceId, personId, zone ?? null),
      )
      context.result({ id, time_zone: zone ?? null }, () => [
        zone === undefined ? `Cleared the time zone of ${text}.` : `Set the time zone of ${text} to ${zone}.`,
      ])
    })
}

/** Makes a change about a member, given by id, email address or name. @returns the member's id */
export function changeMember(
  context: CommandContext,
  workspace: string | undefined,
  person: string,
  change: (db: Transaction, workspaceId: string, personId: string) => Promise<void>,
): Promise<string> {
  return context.writeIn(
    workspace,
    async (db, workspaceId) => {
      const personId = await personOf(db, workspaceId, person)
      await change(db, workspaceId, personId)
      return personId
    },
    (id) => ({ type: 'user', id, name: person }),
  )
}

/** The id of a member, given by id, email address or name. @throws CommandError when there is no such member, or several have the name */
export async function personOf(db: Connection, workspaceId: string, text: string): Promise<string> {
  const people = (await listMembers(db, workspaceId)).filter((person) => person.left_time === null)
  const kind = { one: 'member', many: 'members', list: 'user list' }
  const wanted = idIn(text) ?? (text.includes('@') ? undefined : chooseByName(text, people, kind).id)
  const found = people.find(({ id, email }) => (wanted === undefined ? email === text.trim().toLowerCase() : id === wanted))
  if (!found)
    throw new CommandError(
      `No member of the workspace has the id or email address ${text}. List members with: workspace-service user list`,
    )
  return found.id
}

function addCreateCommand(user: ServiceCommand): void {
  user
    .command('create <email>')
    .description('add a person to a workspace, with a password or a one-time sign-in link')
    .requiredOption('-n, --name <name>', 'display name')
    .addOption(new Option('--role <role>', 'role in the workspace').choices(roles).default('member'))
    .workspaceOption()
    .option('--password', 'prompt for a password')
    .option('--password-stdin', 'read the password from the first line of standard input')
    .option('--link', 'create a link that signs the person in, once, within an hour')
    .run(async (context, email: string, options: CreateOptions) => {
      if ([options.password, options.passwordStdin, options.link].filter(Boolean).length > 1)
        throw usageError('Choose one of --password, --password-stdin and --link.')
      const password = options.password || options.passwordStdin ? await askNewPassword(email, options.passwordStdin) : undefined
      const made = await context.writeIn(
        options.workspace,
        async (db, workspaceId) => {
          const id = await createPerson(db, { workspaceId, email, name: options.name, role: options.role }, Date.now())
          if (password !== undefined) await setPassword(db, email, password)
          return {
            id,
            link: options.link ? await wholeLink(context, db, await createSignInLink(db, email, Date.now())) : undefined,
          }
        },
        ({ id }) => ({ id, name: email }),
      )
      context.result(
        { id: made.id, email, name: options.name, role: options.role, ...(made.link ? linkJson(made.link) : {}) },
        () => [`Added ${options.name} <${email}>: ${made.id}`, ...(made.link ? linkLines(made.link) : [])],
      )
      if (password === undefined && !made.link)
        context.output.note(`${email} cannot sign in yet: run workspace-service user password ${email}, or user link ${email}`)
    })
}

function addListCommand(user: ServiceCommand): void {
  user
    .command('list')
    .description('list the people of a workspace in the order in which they joined')
    .workspaceOption()
    .run(async (context, { workspace }: WorkspaceOption) => {
      const rows = await context.readIn(workspace, listMembers)
      context.list(rows, memberJson, 'There are no people yet.', ['ID', 'NAME', 'EMAIL', 'ROLE', 'LEFT'], (row) => [
        row.id,
        row.name ?? '',
        row.email ?? '',
        row.role,
        when(row.left_time),
      ])
    })
}

function memberJson({ id, name, email, role, left_time: leftTime }: MemberRow): JsonResult {
  return { id, name, email, role, left_time: timestamp(leftTime) }
}
