import type { Command } from 'commander'
import { requireConnection } from '../domain/administration/connections.ts'
import { share, unshare } from '../domain/sharing.ts'
import { workspaceOption } from './arguments.ts'
import { deskOf, parseId, writeDatabase, workspaceOf, type Desk } from './desk.ts'
import { CommandError } from './exit_codes.ts'

interface Options {
  readonly workspace?: string
}

/** An item to share: the id of a page or database, or `workspace` for the whole workspace. */
export function itemOf(text: string, workspaceId: string): string {
  return text === 'workspace' ? workspaceId : parseId(text)
}

export function addSharingCommands(connection: Command): void {
  connection
    .command('share <connection> <items...>')
    .description('share pages or databases and everything below them, or `workspace` for everything')
    .addOption(workspaceOption())
    .action(async (id: string, items: string[], options: Options, command: Command) => {
      const desk = deskOf(command)
      const shared = await change(desk, id, items, options, async (db, workspaceId, connectionId, itemId) => {
        await share(db, workspaceId, { connectionId }, itemId, Date.now())
      })
      desk.output.result({ id: parseId(id), shared }, () => shared.map((item) => `Shared ${item}.`))
    })
  connection
    .command('unshare <connection> <items...>')
    .description('stop sharing pages or databases; items below them that are shared themselves stay shared')
    .addOption(workspaceOption())
    .action(async (id: string, items: string[], options: Options, command: Command) => {
      const desk = deskOf(command)
      const unshared = await change(desk, id, items, options, async (db, workspaceId, connectionId, itemId) => {
        if (!(await unshare(db, workspaceId, { connectionId }, itemId)))
          throw new CommandError(`${itemId} is not shared with this connection. Nothing was changed.`)
      })
      desk.output.result({ id: parseId(id), unshared }, () => unshared.map((item) => `Stopped sharing ${item}.`))
    })
}

type Change = (db: Parameters<typeof share>[0], workspaceId: string, connectionId: string, itemId: string) => Promise<void>

/** Does the same to every item, or nothing at all. @returns their ids */
async function change(
  desk: Desk,
  id: string,
  items: readonly string[],
  { workspace }: Options,
  apply: Change,
): Promise<string[]> {
  const connectionId = parseId(id)
  return writeDatabase(desk, async (db) => {
    const connection = await requireConnection(db, connectionId)
    const workspaceId = workspace === undefined ? connection.workspaceId : await workspaceOf(db, workspace)
    const ids = items.map((item) => itemOf(item, workspaceId))
    for (const itemId of ids) await apply(db, workspaceId, connectionId, itemId)
    return ids
  })
}
