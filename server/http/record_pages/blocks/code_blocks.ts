import type { CodeContent, EquationContent } from '../../../../generated/types.ts'
import { markup, type Html } from '../../oauth/html.ts'
import { equationHtml, joinedPlainText, richTextHtml } from '../rich_text.ts'
import type { BlockToRender } from './block_to_render.ts'

export function renderCode({ view }: BlockToRender, { rich_text: text, language, caption }: CodeContent): Html {
  const source = joinedPlainText(text)
  const marked = view.libraries.highlighted(source, language) ?? markup`${source}`
  return markup`<figure class="code"><div class="language">${language}</div>
<pre tabindex="0" role="region" aria-label="Code in ${language}"><code>${marked}</code></pre>
${caption.length > 0 && markup`<figcaption>${richTextHtml(view, caption)}</figcaption>`}</figure>`
}

export function renderEquation({ view }: BlockToRender, { expression }: EquationContent): Html {
  return markup`<div class="equation" tabindex="0" role="region" aria-label="Equation">${equationHtml(view, expression, true)}</div>`
}
