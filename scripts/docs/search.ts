import { headingsOf } from './pages/headings.ts'
import type { SitePage } from './pages/page.ts'

/** An entry of the search. The keys are short because readers have to load all entries. */
export interface SearchEntry {
  /** The path from the site's root. */
  readonly u: string
  /** Title. */
  readonly t: string
  /** Kind of page. */
  readonly k: string
  /** One sentence. */
  readonly s: string
  /** Further words for the search. */
  readonly w: string
  /** The text of a section of a guide. */
  readonly b?: string
}

export function searchEntries(pages: readonly SitePage[]): SearchEntry[] {
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

function headingEntries({ markdown, title: page, kind }: SitePage, address: string): SearchEntry[] {
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

/** The distinct words of a text. */
function wordsIn(text: string): string {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu))].join(' ')
}
