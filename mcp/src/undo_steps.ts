import type { PageObject, UpdatePageRequest, WorkspaceClient } from '../../client/src/index.ts'
import { requireFull } from './records.ts'
import { ToolError } from './tool.ts'
import type { Undo } from './undo_log.ts'
import { shownValue } from './values/shown_value.ts'

/** Moves created pages to the trash. */
export function undoCreation(client: WorkspaceClient, ids: readonly string[]): Undo {
  return async (progress) => {
    for (const [index, id] of ids.entries()) {
      await client.pages.update({ page_id: id, in_trash: true })
      await progress(index + 1, ids.length)
    }
    return `Moved ${ids.length === 1 ? 'the page' : `${ids.length} pages`} to the trash.`
  }
}

/** The text without the signatures in addresses of files, which differ in each response. */
function comparable(markdown: string): string {
  return markdown.replaceAll(/\?[\w=&;%.~:+/-]{40,2000}/g, '')
}

/** Restores the Markdown of a page, unless it has changed again. Blocks that did not change keep their ids and comments. */
export function undoEdit(client: WorkspaceClient, id: string, before: string, after: string): Undo {
  return async () => {
    const { markdown } = await client.pages.markdown.retrieve({ page_id: id })
    if (comparable(markdown) !== comparable(after))
      throw new ToolError('The page has been changed since, so the edit was not undone. Read it, and edit it instead.')
    await client.pages.markdown.update({ page_id: id, type: 'replace_content', replace_content: { new_str: before } })
    return 'Restored the text of the page.'
  }
}

/**
 * Writes earlier values and the earlier icon of a page, unless they have changed again.
 * @param after the page after the change
 * @param names of the changed properties
 */
export function undoUpdate(
  client: WorkspaceClient,
  after: PageObject,
  names: readonly string[],
  earlier: UpdatePageRequest,
): Undo {
  const stateOf = ({ properties, icon }: PageObject): string =>
    JSON.stringify([names.map((name) => properties[name] && shownValue(properties[name])), earlier.icon !== undefined && icon])
  return async () => {
    if (stateOf(requireFull(await client.pages.retrieve({ page_id: after.id }))) !== stateOf(after))
      throw new ToolError(
        'These values have been changed since, so the change was not undone. Read the page, and update it instead.',
      )
    await client.pages.update({ page_id: after.id, ...earlier })
    return 'Restored the earlier values.'
  }
}
