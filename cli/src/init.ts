import { Option } from 'commander'
import { newestRelease } from '../../generated/operations.ts'
import type { OwnWorkspace, OwnWorkspaceSettings } from '@workspace-service/server/bootstrap/own_workspace.ts'
import type { DatabaseAddress } from '@workspace-service/server/kernel/addresses.ts'
import { listAccountEmails } from '@workspace-service/server/store/accounts.ts'
import { databaseExists } from '@workspace-service/server/store/backup.ts'
import { migrate, schemaState } from '@workspace-service/server/store/migrations.ts'
import { openDatabase } from '@workspace-service/server/store/open.ts'
import { listWorkspaces } from '@workspace-service/server/store/workspaces.ts'
import { addressSettings, hasConsole, type CommandContext } from './command_context.ts'
import { capabilityOption } from './connection_settings.ts'
import { credentialsJson } from './credentials.ts'
import { CommandError, usageError } from './exit_codes.ts'
import { promptForSettings, defaultSettings, type Existing, type InitOptions } from './init_questions.ts'
import type { ServiceCommand } from './service_command.ts'
import { linkJson, linkLines, serviceAddress } from './sign_in_address.ts'

const EXPLAINED = `
On a terminal, the command asks for what the options omit, and changes nothing before the last question. Elsewhere, and with --json, --name,
--owner-name and --email are required; the owner gets a sign-in link, and the connection sees the whole workspace.
The command creates the database if it does not exist. The service may be running.

Example:
  workspace-service init --name "Boat shed" --owner-name "Nora Lind" --email nora@boats.example --time-zone Europe/Lisbon --link`

export function addInitCommand(program: ServiceCommand): void {
  program
    .command('init')
    .description('create a workspace of your own, with its owner and a first connection')
    .option('-n, --name <name>', 'name of the workspace; no other workspace may have it')
    .option('--owner-name <name>', 'display name of its owner')
    .option('-e, --email <email>', 'email address of the owner, for signing in')
    .option('--password-stdin', "read the owner's password from the first line of standard input")
    .option('--link', 'create a link that signs the owner in, once, within an hour')
    .option('--time-zone <zone>', 'time zone of the owner, such as Europe/Lisbon')
    .option('--connection <name>', 'name of a first connection, whose token is shown once')
    .option('--no-connection', 'create no connection')
    .addOption(capabilityOption())
    .addOption(new Option('--share <what>', 'what the connection sees').choices(['workspace', 'page', 'nothing']))
    .addOption(
      new Option('--content <content>', 'its first content: a page to get started with, or nothing').choices(['sample', 'none']),
    )
    .addHelpText('after', EXPLAINED)
    .run(async (context, options: InitOptions) => {
      const address = addressSettings(context).DATABASE_URL
      if (address.engine === 'sqlite' && address.path === ':memory:')
        throw usageError('A database in memory disappears when this command ends. Set DATABASE_URL, or --database.')
      const existing = await existingIn(address)
      const isInteractive = process.stdin.isTTY && !context.output.isJson
      const settings = isInteractive ? await promptForSettings(options, existing) : await defaultSettings(options, existing)
      print(context, settings, await make(context, address, settings))
    })
}

interface Made extends OwnWorkspace {
  readonly address: string
}

/** The state of the database. Neither creates nor changes the database. */
async function existingIn(address: DatabaseAddress): Promise<Existing> {
  // Opening a file would create it, and a canceled run must change nothing.
  if (address.engine === 'sqlite' && !databaseExists(address.path)) return { workspaceNames: [], emails: new Set() }
  const database = openDatabase(address)
  try {
    const { schema, pending, refusal } = await schemaState(database)
    if (refusal !== undefined) throw new CommandError(refusal)
    if (schema === 0) return { workspaceNames: [], emails: new Set() }
    if (pending.length > 0)
      throw new CommandError(`The database needs these migrations: ${pending.join(', ')}. Run: workspace-service migrate`)
    return await database.read(async (db) => ({
      workspaceNames: (await listWorkspaces(db)).map(({ name }) => name ?? ''),
      emails: new Set(await listAccountEmails(db)),
    }))
  } finally {
    await database.close()
  }
}

async function make(context: CommandContext, address: DatabaseAddress, settings: OwnWorkspaceSettings): Promise<Made> {
  // Only the first page needs the block types: other commands start faster without them.
  const { createOwnWorkspace } = await import('@workspace-service/server/bootstrap/own_workspace.ts')
  const database = openDatabase(address)
  try {
    await migrate(database)
    // Nobody else can take the name meanwhile.
    return await database.exclusively(async (db) => {
      const made = await createOwnWorkspace(db, settings, Date.now())
      await context.record(db, { workspaceId: made.workspaceId, type: 'workspace', id: made.workspaceId, name: settings.name })
      return { ...made, address: await serviceAddress(context, db) }
    })
  } finally {
    await database.close()
  }
}

function print(context: CommandContext, { name, owner }: OwnWorkspaceSettings, made: Made): void {
  const { workspaceId, ownerId, pageId, connection, address } = made
  const link = made.link && {
    ...made.link,
    path: `${made.link.path}${hasConsole(context) ? '&return_to=/console' : ''}`,
    address,
  }
  const token = connection?.kind === 'internal' ? connection.installationToken : undefined
  const json = {
    id: workspaceId,
    name: name.trim(),
    owner: { id: ownerId, name: owner.name.trim(), email: owner.email.trim().toLowerCase(), time_zone: owner.timeZone },
    page_id: pageId ?? null,
    connection: connection ? { id: connection.connectionId, ...credentialsJson(connection) } : null,
    ...(link ? linkJson(link) : {}),
  }
  context.result(json, () => [
    `Created the workspace "${json.name}": ${workspaceId}`,
    `Its owner is ${json.owner.name} <${json.owner.email}>: ${ownerId}`,
    ...(link ? linkLines(link) : []),
    ...(token === undefined ? [] : tokenLines(address, token, pageId)),
    '',
    'Next:',
    '  workspace-service serve            run the service, unless it is running',
    '  workspace-service user create      add the people you work with',
    '  workspace-service --help           everything else',
  ])
}

function tokenLines(address: string, token: string, pageId: string | undefined): string[] {
  const path = pageId === undefined ? '/v1/users/me' : `/v1/blocks/${pageId}/children`
  return [
    '',
    `  Token (shown once)  ${token}`,
    '',
    'Try it while the service is running:',
    `  curl ${address}${path} \\`,
    `    -H 'Authorization: Bearer ${token}' \\`,
    `    -H 'Service-Version: ${newestRelease}'`,
  ]
}
