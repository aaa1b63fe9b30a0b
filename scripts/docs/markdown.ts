/** Renders the site's Markdown: with anchors, highlighted code, containers, and links on names in prose. */

import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import go from 'highlight.js/lib/languages/go'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import kotlin from 'highlight.js/lib/languages/kotlin'
import python from 'highlight.js/lib/languages/python'
import rust from 'highlight.js/lib/languages/rust'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import MarkdownIt, { type RendererRule, type StateInline, type Token } from 'markdown-it'
import anchor from 'markdown-it-anchor'
import container from 'markdown-it-container'
import { relativeLink, slugOf } from './pages/page.ts'

for (const [name, language] of Object.entries({
  bash,
  go,
  java,
  javascript,
  json,
  kotlin,
  python,
  rust,
  typescript,
  xml,
  yaml,
}))
  hljs.registerLanguage(name, language)

/** The page that a text is rendered for. */
export interface RenderedPage {
  /** The path of the page, which links are relative to. */
  readonly path: string
  /** The path of the page about a schema, operation, event or error code; undefined for other names. */
  pathOf(name: string): string | undefined
}

/** A function that renders pages as HTML. Links between pages end in `.md` in the text and in `.html` on the site. */
export function markdownRenderer(): (text: string, location: RenderedPage) => string {
  const markdown = new MarkdownIt({ highlight: cached(highlight) })
  let location: RenderedPage = { path: '', pathOf: () => undefined }
  markdown.use(anchor, { slugify: slugOf, level: [2, 3], permalink: anchor.permalink.headerLink({ safariReaderFix: true }) })
  for (const name of ['members', 'variants', 'samples']) markdown.use(container, name)
  markdown.use(container, 'example', { render: renderExample })
  markdown.inline.ruler.before('autolink', 'line_break', lineBreak)
  Object.assign(markdown.renderer.rules, {
    table_open: () => '<div class="table" tabindex="0" role="region" aria-label="Table"><table>\n',
    table_close: () => '</table></div>\n',
    link_open: openLink,
    code_inline: codeSpan,
  } satisfies Record<string, RendererRule>)
  return (text, here) => {
    location = here
    return markdown.render(text)
  }

  function openLink(...[tokens, index, options, , self]: Parameters<RendererRule>): string {
    const token = tokens[index]
    const href = String(token?.attrGet('href') ?? '')
    if (!/^[a-z]+:/.test(href)) token?.attrSet('href', href.replace(/\.md(?=#|$)/, '.html'))
    return self.renderToken(tokens, index, options)
  }

  function codeSpan(...[tokens, index]: Parameters<RendererRule>): string {
    const text = tokens[index]?.content ?? ''
    const path = insideLink(tokens, index) ? undefined : location.pathOf(text)
    const code = `<code>${markdown.utils.escapeHtml(text)}</code>`
    if (path === undefined || path === location.path) return code
    return `<a href="${relativeLink(location.path, path).replace(/(?=#|$)/, '.html')}">${code}</a>`
  }

  function renderExample(tokens: readonly Token[], index: number): string {
    const token = tokens[index]
    if (token?.nesting !== 1) return '</details>\n'
    return `<details class="example"><summary>${markdown.utils.escapeHtml(token.info.trim().slice('example'.length).trim())}</summary>\n`
  }
}

/** `<br>` in prose, such as between the lines of a table cell. In code it stays text. */
function lineBreak(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith('<br>', state.pos)) return false
  if (!silent) state.push('hardbreak', 'br', 0)
  state.pos += '<br>'.length
  return true
}

/** Caches highlighted code, because many pages show the same example. */
function cached(work: typeof highlight): typeof highlight {
  const known = new Map<string, string>()
  return (source, language) => {
    const key = `${language}\n${source}`
    const html = known.get(key) ?? work(source, language)
    known.set(key, html)
    return html
  }
}

function highlight(source: string, language: string): string {
  if (hljs.getLanguage(language) === undefined) return ''
  return `<pre tabindex="0"><code class="language-${language}">${hljs.highlight(source, { language }).value}</code></pre>`
}

function insideLink(tokens: readonly Token[], index: number): boolean {
  const before = tokens.slice(0, index).toReversed()
  return before.find(({ type }) => type === 'link_open' || type === 'link_close')?.type === 'link_open'
}
