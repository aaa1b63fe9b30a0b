import { idIn } from '../../../kernel/ids.ts'
import { parseTitleQuery } from '../../../kernel/words.ts'
import { isBelowTrash } from '../../../store/access.ts'
import { findVisibleBlock } from '../../../store/blocks.ts'
import { listTitlesWithStart } from '../../../store/title_search.ts'
import type { ToolResult } from '../runtime.ts'
import type { Scope } from '../../shared/index.ts'
import { TitleVisibility } from '../../data/index.ts'
import { listCandidates } from './candidates.ts'
import type { ContentRole, Reach } from './reach.ts'
import { refusal, shortened } from './tool.ts'
import { namePages, type NamedPage } from './titles.ts'

/** The maximum number of titles with the same prefix that are examined. */
const ALIKE_MAX = 1_000
/** The maximum number of pages offered for selection. */
const NAMED_MAX = 5

/**
 * The page with an id, or with a title in any case.
 * @returns a refusal if the agent may read no such page, if there are several (the refusal names them), or if the agent lacks the role
 */
export async function findReachablePage(
  scope: Scope,
  reach: Reach,
  name: string,
  role: ContentRole,
): Promise<{ readonly page: NamedPage } | { readonly refusal: ToolResult }> {
  const id = idIn(name.trim())
  const found = id === undefined ? await pagesCalled(scope, reach, name) : await pageWithId(scope, reach, id)
  if (found === 'many' || found.length > 1) {
    const named = found === 'many' ? [] : found.slice(0, NAMED_MAX)
    return { refusal: refusal(`Several pages have the title "${shortened(name)}". Give the id of one.`, named) }
  }
  const [page] = found
  if (!page) {
    const alike = id === undefined ? await pagesLike(scope, reach, name) : []
    return { refusal: refusal(`None of the shared pages has the title "${shortened(name)}".`, alike) }
  }
  if ((await reach.among([page.id], role)).has(page.id)) return { page }
  return { refusal: refusal(`The agent may not do this with the page "${page.title}".`) }
}

async function pageWithId(scope: Scope, reach: Reach, id: string): Promise<NamedPage[]> {
  const block = await findVisibleBlock(scope.db, scope.actor, id)
  if (block?.type !== 'child_page' || block.inTrash || (await isBelowTrash(scope.db, scope.actor.workspaceId, id))) return []
  return [...(await namePages(scope, reach, [...(await reach.among([id], 'reader'))])).values()]
}

/** The pages with a title. @returns `many` if too many titles have the same prefix to be examined */
async function pagesCalled(scope: Scope, reach: Reach, title: string): Promise<NamedPage[] | 'many'> {
  const { db, actor } = scope
  const whole = parseTitleQuery(title)?.whole
  if (whole === undefined) return []
  const field = { workspaceId: actor.workspaceId, kinds: ['page'], inTrash: false } as const
  const rows = await listTitlesWithStart(db, field, whole, 'equals', ALIKE_MAX)
  if (rows === undefined) return 'many'
  const alike = rows.filter(({ words }) => words === whole)
  const visible = await new TitleVisibility(db, actor, false).among(alike)
  const open = await reach.among([...visible], 'reader')
  const pages = await namePages(scope, reach, [...open].sort())
  return [...pages.values()].filter((page) => oneCase(page.title) === oneCase(title))
}

function oneCase(title: string): string {
  return title.normalize('NFC').trim().toLowerCase()
}

async function pagesLike(scope: Scope, reach: Reach, title: string): Promise<NamedPage[]> {
  const { rows } = await listCandidates(scope, reach, title, { titles: NAMED_MAX, recent: 0 })
  return [
    ...(
      await namePages(
        scope,
        reach,
        rows.map(({ id }) => id),
      )
    ).values(),
  ]
}
