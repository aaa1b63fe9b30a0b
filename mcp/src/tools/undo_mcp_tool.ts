import { z } from 'zod'
import { defineTool, ToolError } from '../tool.ts'

export const undoMcpTool = defineTool({
  name: 'undo',
  title: 'Undo a change',
  description:
    'Undoes a change made by another tool, given the `undo` of its result. A page that has been changed since is left as it is.',
  operations: ['updatePage', 'updatePageMarkdown', 'movePage', 'deleteComment', 'deleteBlock'],
  input: z.object({ undo: z.string() }),
  async run({ undo: log, progress }, { undo: token }) {
    const step = log.take(token)
    if (step) return step(progress)
    throw new ToolError('undo: unknown or already undone. Changes can be undone until this server restarts.')
  },
})
