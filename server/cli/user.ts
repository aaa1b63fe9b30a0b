import { Argument, Option, type Command } from 'commander'
import {
  changeRole,
  createPerson,
  createSignInLink,
  listPeople,
  removePerson,
  setPassword,
  setPersonTimeZone,
  type SignInLink,
} from '../domain/administration/people.ts'
import { roles } from '../domain/membership.ts'
import type { Connection, Transaction } from '../store/database.ts'
import type { Role } from '../store/members.ts'
import { workspaceOption } from './arguments.ts'
import { deskOf, parseId, placeOf, readDatabase, writeDatabase, workspaceOf, type Desk } from './desk.ts'
import { CommandError, usageError } from './exit_codes.ts'
import { table, timestamp, when } from './output.ts'
import { askNewPassword } from './questions.ts'

const ROLE_NAMES: Readonly<Record<Role, string>> = {
  owner: 'owner',
  member: 'member',
  restricted: 'restricted member',
  guest: 'guest',
}

const ROLES_EXPLAINED = `
Owners and members see everything that no rule closes to them. Restricted members and guests see only what is shared with them,
hold no personal tokens and authorize no connections.`

interface CreateOptions {
  readonly name: string
  readonly role: Role
  readonly workspace?: string
  readonly password?: true
  readonly passwordStdin?: true
  readonly link?: true
}

export function addUserCommands(program: Command): void {
  const user = program.command('user').description('people, who can sign in, authorize connections and hold personal tokens')
  addCreateCommand(user)
  addListCommand(user)
  addRoleCommand(user)
  addTimeZoneCommand(user)
  user
    .command('link <e-mail>')
    .description('create a link that signs a person in, once, within an hour')
    .action(async (email: string, _options: object, command: Command) => {
      const desk = deskOf(command)
      const link = await writeDatabase(desk, (db) => createSignInLink(db, email, Date.now()))
      desk.output.result(linkJson(desk, link), () => linkLines(desk, link))
    })
  user
    .command('password <e-mail>')
    .description('set a new password and sign the person out everywhere')
    .option('--password-stdin', 'read the password from the first line of standard input')
    .action(async (email: string, { passwordStdin }: { passwordStdin?: true }, command: Command) => {
      const desk = deskOf(command)
      const password = await askNewPassword(email, passwordStdin)
      await writeDatabase(desk, (db) => setPassword(db, email, password))
      desk.output.result({ email, changed: true }, () => [`Set a new password for ${email}.`])
    })
  user
    .command('remove <person>')
    .description(
      'remove a person, given by id or e-mail address, from a workspace: their tokens and authorizations stop working, what they wrote stays',
    )
    .addOption(workspaceOption())
    .action(async (text: string, { workspace }: { workspace?: string }, command: Command) => {
      const desk = deskOf(command)
      const id = await writeAbout(desk, workspace, text, (db, workspaceId, personId) =>
        removePerson(db, workspaceId, personId, Date.now()),
      )
      desk.output.result({ id, removed: true }, () => [`Removed ${text} from the workspace.`])
    })
}

function addRoleCommand(user: Command): void {
  user
    .command('role')
    .argument('<person>', 'a member, by id or e-mail address')
    .addArgument(new Argument('<role>', 'the new role').choices(roles))
    .description('change the role of a member; it applies from the next request of every token that acts for them')
    .addOption(workspaceOption())
    .addHelpText(
      'after',
      `${ROLES_EXPLAINED}

Example:
  workspace-service user role tomas@northshore.example guest`,
    )
    .action(async (text: string, role: Role, { workspace }: { workspace?: string }, command: Command) => {
      const desk = deskOf(command)
      const id = await writeAbout(desk, workspace, text, (db, workspaceId, personId) =>
        changeRole(db, workspaceId, personId, role),
      )
      desk.output.result({ id, role }, () => [`${text} is now ${role === 'owner' ? 'an' : 'a'} ${ROLE_NAMES[role]}.`])
    })
}

function addTimeZoneCommand(user: Command): void {
  user
    .command('time-zone <person> [zone]')
    .description('set the time zone that templates use for a person, such as Europe/Lisbon; without one, clear it')
    .addOption(workspaceOption())
    .action(async (text: string, zone: string | undefined, { workspace }: { workspace?: string }, command: Command) => {
      const desk = deskOf(command)
      const id = await writeAbout(desk, workspace, text, (db, workspaceId, personId) =>
        setPersonTimeZone(db, workspaceId, personId, zone ?? null),
      )
      desk.output.result({ id, time_zone: zone ?? null }, () => [
        zone === undefined ? `Cleared the time zone of ${text}.` : `Set the time zone of ${text} to ${zone}.`,
      ])
    })
}

/** Makes a change about a member, given by id or e-mail address. @returns the member's id */
export function writeAbout(
  desk: Desk,
  workspace: string | undefined,
  person: string,
  change: (db: Transaction, workspaceId: string, personId: string) => Promise<void>,
): Promise<string> {
  return writeDatabase(desk, async (db) => {
    const workspaceId = await workspaceOf(db, workspace)
    const personId = await personOf(db, workspaceId, person)
    await change(db, workspaceId, personId)
    return personId
  })
}

/** The id of a member, given by id or e-mail address. @throws CommandError when there is no such member */
export async function personOf(db: Connection, workspaceId: string, text: string): Promise<string> {
  const people = (await listPeople(db, workspaceId)).filter((person) => person.left_time === null)
  const found = text.includes('@')
    ? people.find(({ email }) => email === text.trim().toLowerCase())
    : people.find(({ id }) => id === parseId(text))
  if (!found) throw new CommandError(`There is no member ${text} in the workspace. List them with: workspace-service user list`)
  return found.id
}

function addCreateCommand(user: Command): void {
  user
    .command('create <e-mail>')
    .description('add a person to a workspace, with a password or a one-time sign-in link')
    .requiredOption('-n, --name <name>', 'display name')
    .addOption(new Option('--role <role>', 'role in the workspace').choices(roles).default('member'))
    .addOption(workspaceOption())
    .option('--password', 'prompt for a password')
    .option('--password-stdin', 'read the password from the first line of standard input')
    .option('--link', 'create a link that signs the person in, once, within an hour')
    .action(async (email: string, options: CreateOptions, command: Command) => {
      const desk = deskOf(command)
      if (Number(options.password ?? false) + Number(options.passwordStdin ?? false) + Number(options.link ?? false) > 1) {
        throw usageError('Choose one of --password, --password-stdin and --link.')
      }
      const password = options.password || options.passwordStdin ? await askNewPassword(email, options.passwordStdin) : undefined
      const made = await writeDatabase(desk, async (db) => {
        const workspaceId = await workspaceOf(db, options.workspace)
        const id = await createPerson(db, { workspaceId, email, name: options.name, role: options.role }, Date.now())
        if (password !== undefined) await setPassword(db, email, password)
        return { id, link: options.link ? await createSignInLink(db, email, Date.now()) : undefined }
      })
      desk.output.result(
        { id: made.id, email, name: options.name, role: options.role, ...(made.link ? linkJson(desk, made.link) : {}) },
        () => [`Added ${options.name} <${email}>: ${made.id}`, ...(made.link ? linkLines(desk, made.link) : [])],
      )
      if (password === undefined && !made.link)
        desk.output.note(`${email} cannot sign in yet: run workspace-service user password ${email}, or user link ${email}`)
    })
}

function addListCommand(user: Command): void {
  user
    .command('list')
    .description('list the people of a workspace in the order in which they joined')
    .addOption(workspaceOption())
    .action(async ({ workspace }: { workspace?: string }, command: Command) => {
      const desk = deskOf(command)
      const rows = await readDatabase(desk, async (db) => listPeople(db, await workspaceOf(db, workspace)))
      desk.output.result(
        {
          results: rows.map(({ id, name, email, role, left_time }) => ({
            id,
            name,
            email,
            role,
            left_time: timestamp(left_time),
          })),
        },
        () =>
          table(
            ['ID', 'NAME', 'E-MAIL', 'ROLE', 'LEFT'],
            rows.map((row) => [row.id, row.name ?? '', row.email ?? '', row.role, when(row.left_time)]),
            'There are no people yet.',
          ),
      )
    })
}

/** Links use the address at which browsers reach the service. */
function addressOf(desk: Desk, { path }: SignInLink): string {
  const { BASE_URL, HOST, PORT, TLS_CERT } = placeOf(desk)
  return `${BASE_URL ?? `${TLS_CERT === undefined ? 'http' : 'https'}://${HOST}:${PORT}`}${path}`
}

function linkJson(desk: Desk, link: SignInLink): { readonly sign_in_url: string; readonly expires_time: string | null } {
  return { sign_in_url: addressOf(desk, link), expires_time: timestamp(link.expiresTime) }
}

function linkLines(desk: Desk, link: SignInLink): string[] {
  return ['', `  ${addressOf(desk, link)}`, '', `Works once, until ${when(link.expiresTime)} UTC.`]
}
