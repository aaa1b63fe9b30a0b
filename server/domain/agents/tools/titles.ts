import { pageUrl } from '../../data/index.ts'
import { findBlocks } from '../../../store/blocks.ts'
import { gatherFacts, plainText, type Facts, type StoredRichText } from '../../content/index.ts'
import type { Scope } from '../../shared/index.ts'
import type { Reach } from './reach.ts'

/** A page as it is passed to runtimes. */
export interface NamedPage {
  readonly id: string
  /** Plain text; `Untitled` if it is empty. */
  readonly title: string
  readonly url: string
}

/** Titles of pages by id, as far as the agent may read them. Unknown ids are omitted. */
export async function namePages(scope: Scope, reach: Reach, ids: readonly string[]): Promise<Map<string, NamedPage>> {
  const blocks = await findBlocks(scope.db, scope.actor.workspaceId, ids)
  const titles = new Map([...blocks].map(([id, { content }]) => [id, (content['title'] ?? []) as StoredRichText]))
  const facts = await factsInReach(scope, reach, [...titles.values()])
  return new Map(
    [...titles].map(([id, stored]) => {
      const title = plainText(stored, facts).trim()
      return [id, { id, title: title === '' ? 'Untitled' : title, url: pageUrl(scope.baseUrl, title, id) }]
    }),
  )
}

/** Records that values refer to, without the names of pages that the agent may not read: mentions would reveal them. */
export async function factsInReach(scope: Scope, reach: Reach, values: readonly unknown[]): Promise<Facts> {
  const facts = await gatherFacts(scope, values)
  if (facts.titles.size === 0) return facts
  const open = await reach.among([...facts.titles.keys()], 'reader')
  return { ...facts, titles: new Map([...facts.titles].filter(([id]) => open.has(id))) }
}

/** Whether the result of a write names the page rather than refuses the write. */
export function isNamedPage(content: unknown): content is NamedPage {
  return typeof content === 'object' && content !== null && 'title' in content && 'url' in content
}
