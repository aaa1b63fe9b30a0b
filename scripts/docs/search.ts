/** What the search of the site looks through: one entry a page, and one for each heading of a guide or a list. */

import { headingsOf } from './pages/headings.ts'
import type { Page } from './pages/page.ts'

/** One place that a search can lead to. Short keys, since every reader who searches loads all of them. */
export interface SearchEntry {
  /** Address below the site's root. */
  readonly u: string
  /** Title. */
  readonly t: string
  /** Kind of page. */
  readonly k: string
  /** One sentence. */
  readonly s: string
  /** Further words to be found by. */
  readonly w: string
  /** The text of a section of a guide. */
  readonly b?: string
}

export function searchEntries(pages: readonly Page[]): SearchEntry[] {
  return pages.flatMap((page) => {
    const address = `${page.path}.html`
    const opening = page.markdown.split(/^#{2,3} /m)[0] ?? ''
    const own: SearchEntry = {
      u: address,
      t: page.title,
      k: page.kind,
      s: page.summary,
      w: [...new Set(page.keywords)].join(' '),
      ...(page.kind === 'guide' ? { b: wordsIn(opening) } : {}),
    }
    return page.kind === 'guide' || page.kind === 'list' ? [own, ...headingEntries(page, address)] : [own]
  })
}

function headingEntries({ markdown, title: page, kind }: Page, address: string): SearchEntry[] {
  return headingsOf(markdown)
    .filter(({ title }) => title.length > 1)
    .map(({ title, slug, text }) => ({
      u: `${address}#${slug}`,
      t: title,
      k: kind,
      s: page,
      w: '',
      ...(kind === 'guide' ? { b: wordsIn(text) } : {}),
    }))
}

/** Every word of a text once. */
function wordsIn(text: string): string {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu))].join(' ')
}
