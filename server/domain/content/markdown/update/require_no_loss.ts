import { childPagesBelow, childPagesOf } from '../../../../store/block_trees.ts'
import { trashedAmong } from '../../../../store/trash.ts'
import { seenBelow, invalid, type WriteScope } from '../../../shared/index.ts'
import { isPageOrDatabase } from '../../block_types/index.ts'
import { plainTitles } from '../../rich_text/gather.ts'
import type { Difference } from '../diff/diff_blocks.ts'
import type { LoadedNode, LoadedTree } from '../write/load_tree.ts'

/** The maximum number of pages that an error lists. */
const NAMED_MAX = 20
const PAGES_EXAMINED_MAX = 1_000

interface Loss {
  /** The removed blocks, without pages and databases that the caller cannot see: those stay where they are. */
  readonly removed: readonly LoadedNode[]
  readonly hasPages: boolean
}

/**
 * Checks that no page or database is removed unless the request allows it.
 * @param path the path of the member that can allow it
 * @throws ServiceError `validation_error` that names the pages and databases that would be removed
 */
export async function requireNoLoss(
  scope: WriteScope,
  tree: LoadedTree,
  difference: Difference,
  isAllowed: boolean,
  path: string,
): Promise<Loss> {
  const { seen, closed } = await lossOf(scope, tree, difference)
  if (seen.length > 0 && !isAllowed)
    throw invalid(path, `should be true, because the change removes ${await namesOf(scope, seen)}`)
  return { removed: difference.removed.filter(({ block }) => !closed.has(block.id)), hasPages: seen.length > 0 }
}

/** Like `requireNoLoss`, for the blocks of a page that were not loaded. */
export async function requireNoLossInRest(scope: WriteScope, pageId: string, isAllowed: boolean, path: string): Promise<void> {
  if (isAllowed) return
  const pages = await childPagesOf(scope.db, scope.actor, pageId, PAGES_EXAMINED_MAX)
  const trashed = await trashedAmong(scope.db, scope.actor.workspaceId, pages)
  const ids = pages.filter((id) => !trashed.has(id))
  if (ids.length > 0) throw invalid(path, `should be true, because the change removes ${await namesOf(scope, ids)}`)
}

/** The pages and databases that would be removed: those visible to the caller, and those that are not. */
async function lossOf(
  scope: WriteScope,
  { root }: LoadedTree,
  { removed, isKept }: Difference,
): Promise<{ seen: readonly string[]; closed: ReadonlySet<string> }> {
  const [pages, unread]: [string[], string[]] = [[], []]
  const visit = (node: LoadedNode): void => {
    if (isKept(node)) return
    const { id, hasChildren } = node.block
    if (isPageOrDatabase(node.block)) pages.push(id)
    else if (hasChildren && node.children.length === 0) unread.push(id)
    for (const child of node.children) if (child.block.parentId === id) visit(child)
  }
  for (const node of removed) visit(node)
  const seen = new Set(await seenBelow(scope, pages))
  const more = await childPagesBelow(scope.db, scope.actor, root.block.id, unread, NAMED_MAX)
  return { seen: [...seen, ...more], closed: new Set(pages.filter((id) => !seen.has(id))) }
}

async function namesOf(scope: WriteScope, ids: readonly string[]): Promise<string> {
  const shown = ids.slice(0, NAMED_MAX)
  const titles = await plainTitles(scope, shown)
  const names = shown.map((id) => `"${(titles.get(id) ?? '').slice(0, 100)}" (${id})`)
  return `${names.join(', ')}${ids.length > shown.length ? ` and ${ids.length - shown.length} more` : ''}`
}
