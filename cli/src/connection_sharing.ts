import { requireConnection } from '@workspace-service/server/domain/administration/index.ts'
import { share, unshare } from '@workspace-service/server/domain/people/index.ts'
import type { Connection, Transaction } from '@workspace-service/server/store/database.ts'
import { workspaceOf, type CommandContext } from './command_context.ts'
import { CommandError } from './exit_codes.ts'
import { connectionOf, itemNamed } from './names.ts'
import type { ServiceCommand, WorkspaceOption } from './service_command.ts'

/** An item to share: a page or database by id or title, or `workspace` for the whole workspace. */
export async function itemOf(db: Connection, text: string, workspaceId: string): Promise<string> {
  return text === 'workspace' ? workspaceId : itemNamed(db, workspaceId, text)
}

export function addSharingCommands(connection: ServiceCommand): void {
  connection
    .command('share <connection> <items...>')
    .description('share pages or databases and everything below them, or `workspace` for everything')
    .workspaceOption()
    .run(async (context, text: string, items: string[], options: WorkspaceOption) => {
      const { id, ids: shared } = await change(context, text, items, options, async (db, workspaceId, connectionId, itemId) => {
        await share(db, workspaceId, { connectionId }, itemId, Date.now())
      })
      context.result({ id, shared }, () => shared.map((item) => `Shared ${item}.`))
    })
  connection
    .command('unshare <connection> <items...>')
    .description('stop sharing pages or databases; items below them that are shared themselves stay shared')
    .workspaceOption()
    .run(async (context, text: string, items: string[], options: WorkspaceOption) => {
      const { id, ids: unshared } = await change(context, text, items, options, async (db, workspaceId, connectionId, itemId) => {
        if (!(await unshare(db, workspaceId, { connectionId }, itemId)))
          throw new CommandError(`${itemId} is not shared with this connection. Nothing was changed.`)
      })
      context.result({ id, unshared }, () => unshared.map((item) => `Stopped sharing ${item}.`))
    })
}

type Change = (db: Transaction, workspaceId: string, connectionId: string, itemId: string) => Promise<void>

/**
 * Applies the change to all items, or to none.
 * @returns the ids of the connection and of the items
 */
async function change(
  context: CommandContext,
  text: string,
  items: readonly string[],
  { workspace }: WorkspaceOption,
  apply: Change,
): Promise<{ id: string; ids: string[] }> {
  return context.write(
    async (db) => {
      const connectionId = await connectionOf(db, text)
      const connection = await requireConnection(db, connectionId)
      const workspaceId = workspace === undefined ? connection.workspaceId : await workspaceOf(db, workspace)
      const ids: string[] = []
      for (const item of items) ids.push(await itemOf(db, item, workspaceId))
      for (const itemId of ids) await apply(db, workspaceId, connectionId, itemId)
      return { workspaceId, id: connectionId, name: connection.name, ids }
    },
    ({ ids, ...named }) => ids.map(() => named),
  )
}
