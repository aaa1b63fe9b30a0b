import { requireConnection } from '@workspace-service/server/domain/administration/index.ts'
import { listShares } from '@workspace-service/server/domain/people/index.ts'
import { listConnections } from '@workspace-service/server/store/connections.ts'
import { listBots } from '@workspace-service/server/store/members.ts'
import { connectionJson } from './connection_settings.ts'
import { connectionOf } from './names.ts'
import { details, textTable, timestamp, when } from './output.ts'
import type { ServiceCommand, WorkspaceOption } from './service_command.ts'

export function addShowCommands(connection: ServiceCommand): void {
  connection
    .command('list')
    .description('list the connections of a workspace, oldest first')
    .workspaceOption()
    .run(async (context, { workspace }: WorkspaceOption) => {
      const rows = await context.readIn(workspace, listConnections)
      context.list(
        rows,
        connectionJson,
        'There are no connections yet.',
        ['ID', 'KIND', 'NAME', 'CREATED', 'DISABLED'],
        (row) => [row.id, row.kind, row.name, when(row.createdTime), when(row.disabledTime)],
      )
    })
  connection
    .command('show <connection>')
    .description('show a connection, its bots and what is shared with them')
    .run(async (context, text: string) => {
      const { record, bots, shares } = await context.read(async (db) => {
        const id = await connectionOf(db, text)
        const found = await listBots(db, id)
        return {
          record: await requireConnection(db, id),
          bots: found,
          shares: (await Promise.all(found.map((bot) => listShares(db, bot.workspace_id, { botId: bot.id })))).flat(),
        }
      })
      context.result(
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
          ...textTable(
            ['BOT', 'WORKSPACE', 'FOR'],
            bots.map((bot) => [bot.id, bot.workspace_id, bot.owner_id ?? 'the workspace']),
            'It has no bots.',
          ),
          '',
          ...textTable(
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
