import { Option } from 'commander'
import {
  createConnection,
  deleteConnection,
  removeConnection,
  requireConnection,
  setConnectionEnabled,
  updateConnection,
} from '@workspace-service/server/domain/administration/index.ts'
import { share } from '@workspace-service/server/domain/people/index.ts'
import { commaSeparatedOption } from './arguments.ts'
import {
  addSettingOptions,
  connectionJson,
  settingsOf,
  usualCapabilities,
  type ConnectionSettingOptions,
} from './connection_settings.ts'
import { addSharingCommands, itemOf } from './connection_sharing.ts'
import { addShowCommands } from './connection_show.ts'
import { addRotateCommand, credentialLines, credentialsJson } from './credentials.ts'
import { workspaceOf } from './command_context.ts'
import { CommandError, requireChanges, usageError } from './exit_codes.ts'
import { connectionOf } from './names.ts'
import { requireConsent } from './questions.ts'
import type { ServiceCommand, WorkspaceOption } from './service_command.ts'

interface CreateOptions extends ConnectionSettingOptions, WorkspaceOption {
  readonly kind: 'internal' | 'public'
  readonly share?: readonly string[]
}

export function addConnectionCommands(program: ServiceCommand): void {
  const connection = program.command('connection').description('connections: programs that may call the API')
  addCreateCommand(connection)
  addShowCommands(connection)
  addUpdateCommand(connection)
  addSharingCommands(connection)
  addRotateCommand(connection)
  addSwitchCommands(connection)
  addRemoveCommand(connection)
  addDeleteCommand(connection)
}

function addCreateCommand(connection: ServiceCommand): void {
  const create = connection
    .command('create <name>')
    .description('create a connection and show its token, or its client id and secret, once')
    .addOption(
      new Option(
        '-k, --kind <kind>',
        'internal: for one workspace, with a fixed token; public: authorized by users through OAuth',
      )
        .choices(['internal', 'public'])
        .default('internal'),
    )
    .workspaceOption()
    .addOption(
      new Option(
        '-s, --share <items>',
        'pages or databases to share with it, or `workspace` for everything (internal connections only)',
      ).argParser(commaSeparatedOption),
    )
  addSettingOptions(create)
  create.addHelpText(
    'after',
    `
Without --capability, it gets every capability except read_user_with_email.

Examples:
  workspace-service connection create "Yard Assistant" --share workspace
  workspace-service connection create "Crate Counter" --capability read_content --share 3af9f30c-5a66-4477-bda9-d8c096d38ff5
  workspace-service connection create "Tide Planner" --kind public --redirect-uri https://planner.example/callback`,
  )
  create.run(async (context, name: string, options: CreateOptions) => {
    if (options.kind === 'public' && options.share)
      throw usageError('--share is for internal connections; users choose what a public one sees when they authorize it.')
    const { made, record } = await context.writeIn(
      options.workspace,
      async (db, workspaceId) => {
        const settings = await settingsOf(db, workspaceId, options)
        const values = { capabilities: usualCapabilities, ...settings, workspaceId, kind: options.kind, name }
        const done = await createConnection(db, values, Date.now())
        const { connectionId } = done
        for (const item of options.share ?? [])
          await share(db, workspaceId, { connectionId }, await itemOf(db, item, workspaceId), Date.now())
        return { made: done, record: await requireConnection(db, connectionId) }
      },
      ({ record: { id, name: shown } }) => ({ id, name: shown }),
    )
    context.result({ ...connectionJson(record), ...credentialsJson(made) }, () => [
      `Created the ${record.kind} connection "${record.name}": ${record.id}`,
      ...credentialLines(made),
      ...(record.kind === 'internal' && !options.share
        ? [
            '',
            `It cannot see anything yet. To share something with it: workspace-service connection share ${record.id} <page or database>`,
          ]
        : []),
    ])
  })
}

function addUpdateCommand(connection: ServiceCommand): void {
  const update = connection
    .command('update <connection>')
    .description('change a connection; omitted settings do not change')
    .option('--name <name>', 'new name')
  addSettingOptions(update).run(async (context, text: string, options: ConnectionSettingOptions & { name?: string }) => {
    requireChanges(options)
    const record = await context.write(
      async (db) => {
        const { id, workspaceId } = await requireConnection(db, await connectionOf(db, text))
        const settings = await settingsOf(db, workspaceId, options)
        return updateConnection(db, id, { ...settings, ...(options.name !== undefined && { name: options.name }) })
      },
      ({ workspaceId, id, name }) => ({ workspaceId, id, name }),
    )
    context.result(connectionJson(record), () => [`Changed the connection "${record.name}".`])
  })
}

function addSwitchCommands(connection: ServiceCommand): void {
  for (const enabled of [true, false]) {
    connection
      .command(enabled ? 'enable <connection>' : 'disable <connection>')
      .description(
        enabled
          ? 'make the tokens of a disabled connection valid again'
          : 'reject all tokens of a connection until it is enabled again',
      )
      .run(async (context, text: string) => {
        const { id } = await context.write(
          async (db) => {
            const found = await connectionOf(db, text)
            await setConnectionEnabled(db, found, enabled, Date.now())
            return requireConnection(db, found)
          },
          ({ workspaceId, id, name }) => ({ workspaceId, id, name }),
        )
        context.result({ id, enabled }, () => [enabled ? `Enabled the connection ${id}.` : `Disabled the connection ${id}.`])
      })
  }
}

function addRemoveCommand(connection: ServiceCommand): void {
  connection
    .command('remove <connection>')
    .description('remove a public connection from one workspace: its bots there lose their tokens and shares')
    .workspaceOption()
    .option('-y, --yes', 'skip the confirmation')
    .addHelpText(
      'after',
      '\nFor public connections; disable or delete an internal one. A user who authorizes the connection again gets the same bot back.',
    )
    .example('connection remove 54a5054c-da2e-4003-9e0e-14ca778e6176 --yes')
    .run(async (context, text: string, { workspace, yes }: { workspace?: string; yes?: true }) => {
      const { id, workspaceId } = await context.withDatabase(async (database) => {
        const found = await database.read(async (db) => ({
          record: await requireConnection(db, await connectionOf(db, text)),
          workspaceId: await workspaceOf(db, workspace),
        }))
        const { id } = found.record
        if (found.record.kind === 'internal')
          throw new CommandError(
            `An internal connection belongs to one workspace. Run: workspace-service connection delete ${id}`,
          )
        await requireConsent(`Remove the connection "${found.record.name}" from the workspace ${found.workspaceId}?`, yes)
        await database.write(async (db) => {
          const bots = await removeConnection(db, id, found.workspaceId, Date.now())
          if (bots === 0) throw new CommandError('Nobody has authorized this connection in the workspace. Nothing was changed.')
          await context.record(db, { workspaceId: found.workspaceId, id, name: found.record.name })
        })
        return { id, workspaceId: found.workspaceId }
      })
      context.result({ id, workspace_id: workspaceId, removed: true }, () => [
        `Removed the connection ${id} from the workspace ${workspaceId}.`,
      ])
    })
}

function addDeleteCommand(connection: ServiceCommand): void {
  connection
    .command('delete <connection>')
    .description('permanently delete a connection in all workspaces; what it wrote stays')
    .option('-y, --yes', 'skip the confirmation')
    .run(async (context, text: string, { yes }: { yes?: true }) => {
      const id = await context.withDatabase(async (database) => {
        const record = await database.read(async (db) => requireConnection(db, await connectionOf(db, text)))
        const { workspaceId, id: found, name } = record
        await requireConsent(`Delete the connection "${name}" with its tokens and shares? This cannot be undone.`, yes)
        await database.write(async (db) => {
          await deleteConnection(db, found, Date.now())
          await context.record(db, { workspaceId, id: found, name })
        })
        return found
      })
      context.result({ id, deleted: true }, () => [`Deleted the connection ${id}.`])
    })
}
