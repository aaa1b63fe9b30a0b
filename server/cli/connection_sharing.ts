import { requireConnection } from '../domain/administration/connections.ts'
import { share, unshare } from '../domain/sharing.ts'
import type { Transaction } from '../store/database.ts'
import { parseId, workspaceOf, type CommandContext } from './command_context.ts'
import { CommandError } from './exit_codes.ts'
import type { ServiceCommand, WorkspaceOption } from './service_command.ts'

/** An item to share: the id of a page or database, or `workspace` for the whole workspace. */
export function itemOf(text: string, workspaceId: string): string {
  return text === 'workspace' ? workspaceId : parseId(text)
}

export function addSharingCommands(connection: ServiceCommand): void {
  connection
    .command('share <connection> <items...>')
    .description('share pages or databases and everything below them, or `workspace` for everything')
    .workspaceOption()
    .run(async (context, id: string, items: string[], options: WorkspaceOption) => {
      const shared = await change(context, id, items, options, async (db, workspaceId, connectionId, itemId) => {
        await share(db, workspaceId, { connectionId }, itemId, Date.now())
      })
      context.result({ id: parseId(id), shared }, () => shared.map((item) => `Shared ${item}.`))
    })
  connection
    .command('unshare <connection> <items...>')
    .description('stop sharing pages or databases; items below them that are shared themselves stay shared')
    .workspaceOption()
    .run(async (context, id: string, items: string[], options: WorkspaceOption) => {
      const unshared = await change(context, id, items, options, async (db, workspaceId, connectionId, itemId) => {
        if (!(await unshare(db, workspaceId, { connectionId }, itemId)))
          throw new CommandError(`${itemId} is not shared with this connection. Nothing was changed.`)
      })
      context.result({ id: parseId(id), unshared }, () => unshared.map((item) => `Stopped sharing ${item}.`))
    })
}

type Change = (db: Transaction, workspaceId: string, connectionId: string, itemId: string) => Promise<void>

/** Applies the change to all items, or to none. @returns their ids */
async function change(
  context: CommandContext,
  id: string,
  items: readonly string[],
  { workspace }: WorkspaceOption,
  apply: Change,
): Promise<string[]> {
  const connectionId = parseId(id)
  return context.write(async (db) => {
    const connection = await requireConnection(db, connectionId)
    const workspaceId = workspace === undefined ? connection.workspaceId : await workspaceOf(db, workspace)
    const ids = items.map((item) => itemOf(item, workspaceId))
    for (const itemId of ids) await apply(db, workspaceId, connectionId, itemId)
    return ids
  })
}
