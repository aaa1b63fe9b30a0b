import type { Command } from 'commander'
import { listConnections, requireConnection } from '../domain/administration/connections.ts'
import { listShares } from '../domain/sharing.ts'
import { listBots } from '../store/members.ts'
import { workspaceOption } from './arguments.ts'
import { connectionJson } from './connection_settings.ts'
import { deskOf, parseId, readDatabase, workspaceOf } from './desk.ts'
import { details, table, timestamp, when } from './output.ts'

export function addShowCommands(connection: Command): void {
  connection
    .command('list')
    .description('list the connections of a workspace, oldest first')
    .addOption(workspaceOption())
    .action(async ({ workspace }: { workspace?: string }, command: Command) => {
      const desk = deskOf(command)
      const rows = await readDatabase(desk, async (db) => listConnections(db, await workspaceOf(db, workspace)))
      desk.output.result({ results: rows.map(connectionJson) }, () =>
        table(
          ['ID', 'KIND', 'NAME', 'CREATED', 'DISABLED'],
          rows.map((row) => [row.id, row.kind, row.name, when(row.createdTime), when(row.disabledTime)]),
          'There are no connections yet.',
        ),
      )
    })
  connection
    .command('show <connection>')
    .description('show a connection, its bots and what is shared with them')
    .action(async (text: string, _options: object, command: Command) => {
      const desk = deskOf(command)
      const { record, bots, shares } = await readDatabase(desk, async (db) => {
        const id = parseId(text)
        const found = await listBots(db, id)
        return {
          record: await requireConnection(db, id),
          bots: found,
          shares: (await Promise.all(found.map((bot) => listShares(db, bot.workspace_id, { botId: bot.id })))).flat(),
        }
      })
      desk.output.result(
        {
          ...connectionJson(record),
          bots: bots.map((bot) => ({ id: bot.id, workspace_id: bot.workspace_id, person_id: bot.owner_id })),
          shares: shares.map((share) => ({
            bot_id: share.botId,
            item_id: share.itemId,
            created_time: timestamp(share.createdTime),
          })),
        },
        () => [
          ...details([
            ['Name', record.name],
            ['Kind', record.kind],
            ['Id', record.id],
            ['Workspace', record.workspaceId],
            ['Capabilities', record.capabilities.join(', ')],
            ['Rate limit', record.rateLimit === null ? 'default (RATE_LIMIT)' : `${record.rateLimit} requests in 60 seconds`],
            ['Created', when(record.createdTime)],
            ['Disabled', when(record.disabledTime)],
            ...(record.clientId === null
              ? []
              : ([
                  ['Client id', record.clientId],
                  ['Redirect URIs', record.redirectUris.join(' ')],
                  ['Template', record.templatePageId ?? '-'],
                  ['Allowed in', record.allowedWorkspaces?.join(', ') ?? 'any workspace'],
                ] as const)),
          ]),
          '',
          ...table(
            ['BOT', 'WORKSPACE', 'FOR'],
            bots.map((bot) => [bot.id, bot.workspace_id, bot.owner_id ?? 'the workspace']),
            'It has no bots.',
          ),
          '',
          ...table(
            ['SHARED', 'WITH BOT', 'SINCE'],
            shares.map((share) => [
              share.itemId === record.workspaceId ? 'the whole workspace' : share.itemId,
              share.botId,
              when(share.createdTime),
            ]),
            'Nothing is shared with it.',
          ),
        ],
      )
    })
}
