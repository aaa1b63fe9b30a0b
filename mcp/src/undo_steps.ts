import type { PagePropertiesRequest, WorkspaceClient } from '../../client/src/index.ts'
import { ToolError } from './tool.ts'
import type { Undo } from './undo_log.ts'

/** Moves created pages to the trash. */
export function undoCreation(client: WorkspaceClient, ids: readonly string[]): Undo {
  return async () => {
    for (const id of ids) await client.pages.update({ page_id: id, in_trash: true })
    return `Moved ${ids.length === 1 ? 'the page' : `${ids.length} pages`} to the trash.`
  }
}

/** The text without the signatures in addresses of files, which differ in each response. */
function comparable(markdown: string): string {
  return markdown.replaceAll(/\?[\w=&%.~-]{40,1000}/g, '')
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

/** Writes earlier values of a page. */
export function undoValues(client: WorkspaceClient, id: string, properties: PagePropertiesRequest): Undo {
  return async () => {
    await client.pages.update({ page_id: id, properties })
    return 'Restored the earlier values.'
  }
}
