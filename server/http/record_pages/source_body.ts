import { markup, type Html } from '../oauth/html.ts'
import { forPrograms, type ApiAddress, type ApiCall } from './for_programs.ts'
import { recordPath } from './links.ts'
import type { PageView } from './page_view.ts'

export interface RecordSource {
  readonly id: string
  readonly title: string
  readonly language: 'json' | 'markdown'
  readonly text: string
  /** The API call that returns the record. */
  readonly call: ApiCall
  /** A note about what is omitted, if anything. */
  readonly note?: string | undefined
}

/** A record as programs see it. */
export function sourceBody(view: PageView, api: ApiAddress, { id, title, language, text, call, note }: RecordSource): Html {
  // In Markdown, the highlighter would mark tags as emphasis.
  const marked = (language === 'json' && view.libraries.highlighted(text, language)) || markup`${text}`
  return markup`<article class="source"><p class="meta"><a href="${recordPath(view, id)}">Back to the page</a></p>
<h1>${title || 'Untitled'}</h1>
${note !== undefined && markup`<p class="soft">${note}</p>`}
<figure class="code"><div class="language">${language === 'json' ? 'JSON' : 'Markdown'}</div>
<pre class="${language}" tabindex="0" role="region" aria-label="${title || 'Untitled'} as ${language}"><code>${marked}</code></pre></figure>
${forPrograms(api, [call], markup``)}</article>`
}
