import { addEmoji, listEmojis } from '@workspace-service/server/domain/administration/index.ts'
import type { EmojiRow } from '@workspace-service/server/store/custom_emojis.ts'
import type { ServiceCommand, WorkspaceOption } from './service_command.ts'

export function addEmojiCommands(program: ServiceCommand): void {
  const emoji = program.command('emoji').description('custom emojis of a workspace')
  emoji
    .command('add <name> <url>')
    .description('add an emoji; its image stays at the given URL')
    .workspaceOption()
    .run(async (context, name: string, url: string, { workspace }: WorkspaceOption) => {
      const made = await context.writeIn(
        workspace,
        (db, workspaceId) => addEmoji(db, workspaceId, name, url, Date.now()),
        ({ id, name: shown }) => ({ id, name: shown }),
      )
      context.result({ ...made }, () => [`Added :${made.name}: ${made.id}`])
    })
  emoji
    .command('list')
    .description('list the emojis by name')
    .workspaceOption()
    .run(async (context, { workspace }: WorkspaceOption) => {
      const rows = await context.readIn(workspace, listEmojis)
      const json = (row: EmojiRow) => ({ ...row })
      context.list(rows, json, 'There are no custom emojis.', ['ID', 'NAME', 'IMAGE'], ({ id, name, url }) => [id, name, url])
    })
}
