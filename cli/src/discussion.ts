import { listDiscussions, setDiscussionResolved } from '@workspace-service/server/domain/administration/index.ts'
import type { DiscussionRow } from '@workspace-service/server/store/comments.ts'
import { parseId } from './command_context.ts'
import { itemNamed } from './names.ts'
import { timestamp, when, type JsonResult } from './output.ts'
import type { ServiceCommand, WorkspaceOption } from './service_command.ts'

export function addDiscussionCommands(program: ServiceCommand): void {
  const discussion = program.command('discussion').description('discussions: the threads that comments belong to')
  discussion
    .command('list <block>')
    .description('list the discussions on a page or block, including resolved ones, oldest first')
    .workspaceOption()
    .run(async (context, text: string, { workspace }: WorkspaceOption) => {
      const rows = await context.readIn(workspace, async (db, workspaceId) =>
        listDiscussions(db, workspaceId, await itemNamed(db, workspaceId, text)),
      )
      context.list(
        rows,
        discussionJson,
        'The page or block has no discussions.',
        ['ID', 'COMMENTS', 'STARTED', 'RESOLVED'],
        (row) => [row.id, String(row.comments), when(row.created_time), when(row.resolved_time)],
      )
    })
  for (const resolved of [true, false]) addStateCommand(discussion, resolved)
}

function addStateCommand(discussion: ServiceCommand, resolved: boolean): void {
  discussion
    .command(resolved ? 'resolve <discussion>' : 'reopen <discussion>')
    .description(
      resolved ? 'resolve a discussion: lists of comments omit it until it is reopened' : 'reopen a resolved discussion',
    )
    .workspaceOption()
    .example(`discussion ${resolved ? 'resolve' : 'reopen'} d9fb18e8-eef6-4ac4-88b6-350eedd03c87`)
    .run(async (context, text: string, { workspace }: WorkspaceOption) => {
      const id = parseId(text, 'a discussion', 'discussion list <page or block>')
      await context.writeIn(
        workspace,
        (db, workspaceId) => setDiscussionResolved(db, workspaceId, id, resolved, Date.now()),
        () => ({ id }),
      )
      context.result({ id, resolved }, () => [`${resolved ? 'Resolved' : 'Reopened'} the discussion ${id}.`])
    })
}

function discussionJson({ id, comments, created_time: created, resolved_time: resolved }: DiscussionRow): JsonResult {
  return { id, comments, created_time: timestamp(created), resolved_time: timestamp(resolved) }
}
