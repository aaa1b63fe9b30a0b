import type { Command } from 'commander'
import { createWorkspace, setWorkspaceSuspended } from '../domain/administration/workspaces.ts'
import { listWorkspaces } from '../store/workspaces.ts'
import { deskOf, parseId, withDatabase, workspaceOf } from './desk.ts'
import { table, timestamp, when } from './output.ts'

export function addWorkspaceCommands(program: Command): void {
  const workspace = program.command('workspace').description('workspaces: where people, connections and content are')
  workspace
    .command('create <name>')
    .description('make an empty workspace')
    .option('--id <id>', 'a fixed id; a new one unless given')
    .action(async (name: string, { id }: { id?: string }, command: Command) => {
      const { output, ...rest } = deskOf(command)
      const made = await withDatabase({ output, ...rest }, (database) =>
        database.write((db) => createWorkspace(db, name, Date.now(), id === undefined ? undefined : parseId(id))),
      )
      output.result({ id: made, name }, () => [`Made the workspace "${name}": ${made}`])
    })
  workspace
    .command('list')
    .description('list the workspaces, oldest first')
    .action(async (_options: object, command: Command) => {
      const desk = deskOf(command)
      const rows = await withDatabase(desk, (database) => database.read(listWorkspaces))
      desk.output.result(
        { results: rows.map(({ id, name, suspended_time }) => ({ id, name, suspended_time: timestamp(suspended_time) })) },
        () =>
          table(
            ['ID', 'NAME', 'SUSPENDED'],
            rows.map((row) => [row.id, row.name ?? '', when(row.suspended_time)]),
            'There is no workspace yet.',
          ),
      )
    })
  for (const suspended of [true, false]) {
    workspace
      .command(suspended ? 'suspend <workspace>' : 'resume <workspace>')
      .description(
        suspended
          ? 'refuse every token of a workspace until it is resumed'
          : 'let the tokens of a suspended workspace work again',
      )
      .action(async (wanted: string, _options: object, command: Command) => {
        const desk = deskOf(command)
        const id = await withDatabase(desk, (database) =>
          database.write(async (db) => {
            const found = await workspaceOf(db, wanted)
            await setWorkspaceSuspended(db, found, suspended, Date.now())
            return found
          }),
        )
        desk.output.result({ id, suspended }, () => [
          suspended ? `Suspended the workspace ${id}.` : `Resumed the workspace ${id}.`,
        ])
      })
  }
}
