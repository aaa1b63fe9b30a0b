import type { Command } from 'commander'
import { listDiscussions, setDiscussionResolved } from '../domain/administration/discussions.ts'
import { workspaceOption } from './arguments.ts'
import { deskOf, parseId, readDatabase, writeDatabase, workspaceOf } from './desk.ts'
import { table, timestamp, when } from './output.ts'

interface Options {
  readonly workspace?: string
}

export function addDiscussionCommands(program: Command): void {
  const discussion = program.command('discussion').description('discussions: the threads that comments belong to')
  discussion
    .command('list <block>')
    .description('list the discussions on a page or block, resolved ones included, oldest first')
    .addOption(workspaceOption())
    .action(async (text: string, { workspace }: Options, command: Command) => {
      const desk = deskOf(command)
      const rows = await readDatabase(desk, async (db) => listDiscussions(db, await workspaceOf(db, workspace), parseId(text)))
      desk.output.result(
        {
          results: rows.map((row) => ({
            id: row.id,
            comments: row.comments,
            created_time: timestamp(row.created_time),
            resolved_time: timestamp(row.resolved_time),
          })),
        },
        () =>
          table(
            ['ID', 'COMMENTS', 'STARTED', 'RESOLVED'],
            rows.map((row) => [row.id, String(row.comments), when(row.created_time), when(row.resolved_time)]),
            'There are no discussions on it.',
          ),
      )
    })
  for (const resolved of [true, false]) addStateCommand(discussion, resolved)
}

function addStateCommand(discussion: Command, resolved: boolean): void {
  discussion
    .command(resolved ? 'resolve <discussion>' : 'reopen <discussion>')
    .description(
      resolved ? 'resolve a discussion: lists of comments leave it out until it is reopened' : 'open a resolved discussion again',
    )
    .addOption(workspaceOption())
    .addHelpText(
      'after',
      `
Example:
  workspace-service discussion ${resolved ? 'resolve' : 'reopen'} d9fb18e8-eef6-4ac4-88b6-350eedd03c87`,
    )
    .action(async (text: string, { workspace }: Options, command: Command) => {
      const desk = deskOf(command)
      const id = parseId(text)
      await writeDatabase(desk, async (db) =>
        setDiscussionResolved(db, await workspaceOf(db, workspace), id, resolved, Date.now()),
      )
      desk.output.result({ id, resolved }, () => [`${resolved ? 'Resolved' : 'Reopened'} the discussion ${id}.`])
    })
}
