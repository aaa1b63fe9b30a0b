import { readPageTree } from '../../domain/content/index.ts'
import { search } from '../../domain/data/index.ts'
import type { Membership } from '../../domain/people/index.ts'
import type { Response } from '../../kernel/response.ts'
import { fieldOf } from '../oauth/browser.ts'
import { documentResponse } from './document.ts'
import { emptyView, readFor, rendered, type Visit } from './respond_with_record.ts'
import { searchBody } from './search_body.ts'
import { sidebarOf } from './sidebar.ts'

const RESULTS_MAX = 30
const WORDS_LENGTH_MAX = 200

/** Finds pages and databases by words in their titles. */
export async function respondWithSearch(visit: Visit, memberships: readonly Membership[]): Promise<Response> {
  const { membership, email, query } = visit
  const { workspaceId } = membership.actor
  const words = (fieldOf(query, 'q') ?? '').trim().slice(0, WORDS_LENGTH_MAX)
  const page = { startCursor: fieldOf(query, 'from'), pageSize: RESULTS_MAX, cursorPath: 'query.from' }
  const [results, tree] = await readFor(visit, ['search', words], async (scope) => [
    await search(scope, words === '' ? {} : { query: words }, page),
    await readPageTree(scope, undefined),
  ])
  const view = emptyView(visit)
  const main = await rendered(view, () => searchBody(view, { words, results, workspaceId, memberships }))
  return documentResponse({
    base: view.base,
    title: words === '' ? 'Recently edited' : `“${words}”`,
    email,
    workspace: { id: workspaceId, name: membership.workspaceName ?? 'Workspace' },
    search: words,
    sidebar: sidebarOf(view, tree, undefined),
    main,
  })
}
