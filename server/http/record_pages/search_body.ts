import type { SearchResultList } from '../../../generated/types.ts'
import type { Membership } from '../../domain/people/index.ts'
import { markup, type Html } from '../oauth/html.ts'
import { SEARCH_PATH } from '../oauth/site_paths.ts'
import { momentElement } from './dates.ts'
import { iconElement } from './icon.ts'
import { safeLink } from './links.ts'
import type { PageView } from './page_view.ts'
import { richTextHtml } from './rich_text.ts'
import { titleOfRow } from './values/columns.ts'

export interface SearchView {
  readonly words: string
  readonly results: SearchResultList
  readonly workspaceId: string
  readonly memberships: readonly Membership[]
}

/** The pages and databases with the searched words in their titles; without words, those edited last. */
export function searchBody(view: PageView, { words, results, workspaceId, memberships }: SearchView): Html {
  const items = results.results.flatMap((result) => resultOf(view, result) ?? [])
  const next = results.next_cursor
  return markup`<article class="search"><h1>${words === '' ? 'Recently edited' : `“${words}”`}</h1>
${memberships.length > 1 && workspaces(view, memberships, workspaceId)}
${items.length > 0 ? markup`<ul class="results">${items}</ul>` : emptyText(words)}
${next !== null && markup`<p class="more"><a href="${searchPath(view, { workspace: workspaceId, q: words, from: next })}" rel="next">More</a></p>`}
${results.request_status?.type === 'incomplete' && markup`<p class="soft">There may be more results: add words to narrow the search.</p>`}</article>`
}

function emptyText(words: string): Html {
  return words === ''
    ? markup`<p class="soft">Nothing is here yet. Pages and databases that you may see appear here as soon as somebody creates them.</p>`
    : markup`<p class="soft">No page or database that you may see has a title with these words.</p>`
}

function workspaces(view: PageView, memberships: readonly Membership[], currentId: string): Html {
  const items = memberships.map(
    ({ workspaceName: name, actor: { workspaceId: id } }) =>
      markup`<li><a href="${searchPath(view, { workspace: id })}"${id === currentId && markup` aria-current="page"`}>${name ?? 'A workspace without a name'}</a></li>`,
  )
  return markup`<nav class="views" aria-label="Workspaces"><ul>${items}</ul></nav>`
}

export function searchPath({ base }: Pick<PageView, 'base'>, query: Readonly<Record<string, string>>): string {
  return `${base}${SEARCH_PATH}?${new URLSearchParams(query).toString()}`
}

function resultOf(view: PageView, result: SearchResultList['results'][number]): Html | undefined {
  if (!('url' in result)) return undefined
  const isPage = result.object === 'page'
  const title = isPage ? titleOfRow(result) : result.title
  const href = safeLink(view, result.url)?.href
  if (href === undefined) return undefined
  const words =
    title.length > 0
      ? richTextHtml(
          view,
          title.map((item) => ({ ...item, href: null })),
        )
      : 'Untitled'
  return markup`<li><a class="row-title" href="${href}">${iconElement(view, result.icon, isPage ? 'page' : 'database')}<span>${words}</span></a>
<span class="soft">${isPage ? 'Page' : 'Database'}, edited ${momentElement(result.last_edited_time, view.locale)}</span></li>`
}
