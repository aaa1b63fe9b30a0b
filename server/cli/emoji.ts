import type { Command } from 'commander'
import { addEmoji, listEmojis } from '../domain/administration/emojis.ts'
import { workspaceOption } from './arguments.ts'
import { deskOf, readDatabase, writeDatabase, workspaceOf } from './desk.ts'
import { table } from './output.ts'

interface Options {
  readonly workspace?: string
}

export function addEmojiCommands(program: Command): void {
  const emoji = program.command('emoji').description('custom emojis of a workspace')
  emoji
    .command('add <name> <url>')
    .description('add an emoji; its image stays at the given URL')
    .addOption(workspaceOption())
    .action(async (name: string, url: string, { workspace }: Options, command: Command) => {
      const desk = deskOf(command)
      const made = await writeDatabase(desk, async (db) => addEmoji(db, await workspaceOf(db, workspace), name, url, Date.now()))
      desk.output.result({ ...made }, () => [`Added :${made.name}: ${made.id}`])
    })
  emoji
    .command('list')
    .description('list the emojis by name')
    .addOption(workspaceOption())
    .action(async ({ workspace }: Options, command: Command) => {
      const desk = deskOf(command)
      const rows = await readDatabase(desk, async (db) => listEmojis(db, await workspaceOf(db, workspace)))
      desk.output.result({ results: rows.map((row) => ({ ...row })) }, () =>
        table(
          ['ID', 'NAME', 'IMAGE'],
          rows.map((row) => [row.id, row.name, row.url]),
          'There are no custom emojis.',
        ),
      )
    })
}
