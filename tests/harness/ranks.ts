import { randomUUID } from 'node:crypto'
import { generateKeyBetween } from 'fractional-indexing'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { insertBlocks, listChildren, type NewBlock } from '../../server/store/blocks.ts'
import type { TestServer } from './server.ts'

/** A paragraph of a page. @param content its text; empty if undefined */
export function paragraphAt(pageId: string, rank: string, content?: string): NewBlock {
  const richText = content === undefined ? [] : [{ type: 'text', text: { content } }]
  return {
    id: randomUUID(),
    type: 'paragraph',
    parentType: 'page_id',
    parentId: pageId,
    pageId,
    rank,
    content: { rich_text: richText, color: 'default', icon: null },
    createdTime: 1,
    createdBy: exampleWorkspace.bot.id,
  }
}

/**
 * Inserts blocks with the ranks of single insertions after the first block of a page: each one halves the gap, until ranks have a given
 * length. Uses one transaction instead of many requests.
 * @param length in characters; less than the length at which the service assigns new ranks
 * @returns the first block, and the texts of the new ones from oldest to newest, which is their order on the page reversed
 */
export async function plantHalvings(
  server: TestServer,
  pageId: string,
  length: number,
): Promise<{ first: string; texts: string[] }> {
  const { id: workspaceId } = exampleWorkspace.workspace
  return server.service.database.write(async (db) => {
    const [first, second] = await listChildren(db, workspaceId, pageId, undefined, 2)
    if (!first) throw new Error('a page without blocks')
    const ranks = [generateKeyBetween(first.rank, second?.rank)]
    while ((ranks.at(-1) ?? '').length < length) ranks.push(generateKeyBetween(first.rank, ranks.at(-1)))
    const texts = ranks.map((_rank, index) => `line ${index}`)
    await insertBlocks(
      db,
      workspaceId,
      ranks.map((rank, index) => paragraphAt(pageId, rank, texts[index])),
    )
    return { first: first.id, texts }
  })
}
