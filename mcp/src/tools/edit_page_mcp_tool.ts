import { z } from 'zod'
import { isTask, type InsertContentRequest, type UpdateContentRequest } from '../../../client/src/index.ts'
import { recordIdIn } from '../forgiving.ts'
import { defineTool, ToolError } from '../tool.ts'
import { undoEdit } from '../undo_steps.ts'
import { undoToken } from './undo_token.ts'

export const editPageMcpTool = defineTool({
  name: 'edit_page',
  title: 'Edit a page',
  description:
    'Changes parts of the Markdown of a page: replaces texts, or inserts Markdown. Everything else keeps its place, comments and ids. All replacements are applied, or none. Read the page first: `old` must be copied exactly.',
  operations: ['retrievePageMarkdown', 'updatePageMarkdown'],
  input: z.object({
    page: z.string().describe('Id or URL of the page'),
    replace: z
      .array(
        z.object({
          old: z.string().describe('Text to find, exactly as read_page shows it; it must occur once'),
          new: z.string().describe('Markdown to put in its place; empty to delete it'),
          everywhere: z.boolean().optional().describe('Replaces every occurrence'),
        }),
      )
      .max(100)
      .optional(),
    insert: z.string().optional().describe('Markdown to add, at the end of the page unless `after` is given'),
    after: z.string().optional().describe('Inserts after the block with this text'),
  }),
  output: z.object({ edited: z.string(), characters: z.number(), undo: undoToken }),
  async run({ client, undo }, { page, replace, insert, after }) {
    const id = recordIdIn(page, 'page')
    if ((replace === undefined) === (insert === undefined)) throw new ToolError('Give either replace or insert.')
    for (const [index, edit] of (replace ?? []).entries()) requireNothingHidden(edit.old, edit.new, `replace[${index}]`)
    const { markdown: before, truncated } = await client.pages.markdown.retrieve({ page_id: id })
    const result = await client.pages.markdown.update({ page_id: id, ...commandOf(replace ?? [], insert, after) })
    if (isTask(result)) throw new ToolError(`The edit continues in the background as task ${result.id}.`)
    const canUndo = !truncated && !result.truncated
    return {
      edited: id,
      characters: result.markdown.length,
      ...(canUndo && { undo: undo.add(undoEdit(client, id, before, result.markdown)) }),
    }
  },
})

interface Edit {
  readonly old: string
  readonly new: string
  readonly everywhere?: boolean | undefined
}

function commandOf(
  replace: readonly Edit[],
  insert: string | undefined,
  after: string | undefined,
): UpdateContentRequest | InsertContentRequest {
  if (insert !== undefined)
    return { type: 'insert_content', insert_content: { content: insert, ...(after !== undefined && { after }) } }
  const updates = replace.map(({ old, new: text, everywhere }) => ({
    ...{ old_str: old, new_str: text },
    ...(everywhere === true && { replace_all_matches: true }),
  }))
  return { type: 'update_content', update_content: { content_updates: updates } }
}

/** Blocks that the Markdown only names. */
const NAMED = /<(?:unknown|page|database|synced_block|synced_block_reference)\b[^<>]*>/g

/** @throws ToolError for an edit that would remove blocks whose content the text does not show */
function requireNothingHidden(old: string, text: string, path: string): void {
  const [lost] = (old.match(NAMED) ?? []).filter((tag) => !text.includes(tag))
  if (lost === undefined) return
  throw new ToolError(
    `${path}.new: it should contain ${lost}, which represents content that the Markdown does not show. To remove a page, use trash_page.`,
  )
}
