import MarkdownItParser, { type MarkdownIt, type StateBlock, type StateInline } from 'markdown-it'
import { Equations } from '@workspace-service/server/domain/content/index.ts'

/** The scheme of a link that gives a note's name instead of its path. */
export const NOTE_SCHEME = 'x-note:'

/** The longest address of a link in the API. */
const ADDRESS_LENGTH_MAX = 2_000

const markdownIt: MarkdownIt = new MarkdownItParser({ html: true, linkify: true })
// Only texts with a scheme or `www.`: `README.md` is not an address.
markdownIt.linkify.set({ fuzzyLink: false })
markdownIt.linkify.add('www.', {
  validate: (text, start) =>
    /^[^\s<>"]*[^\s<>"'*_~?!.,:;)\]]/.exec(text.slice(start, start + ADDRESS_LENGTH_MAX))?.[0].length ?? 0,
  normalize: (match) => void (match.url = `http://${match.url}`),
})
markdownIt.block.ruler.before('table', 'x_deep', tooDeep)
markdownIt.block.ruler.before('reference', 'x_footnote', footnote)
markdownIt.block.ruler.before('fence', 'x_equation', equationBlock, { alt: ['paragraph'] })
markdownIt.inline.ruler.before('escape', 'x_math', math)
markdownIt.inline.ruler.before('link', 'x_note', noteLink)
markdownIt.inline.ruler.before('emphasis', 'x_mark', (state, silent) => enclosed(state, silent, '==', 'mark'))
// The library itself parses only two tildes.
markdownIt.inline.ruler.before('strikethrough', 'x_strike', (state, silent) => enclosed(state, silent, '~', 's'))
markdownIt.block.ruler.before('html_block', 'x_aside', asideTag, { alt: ['paragraph', 'reference', 'blockquote'] })

// The first line of `> [!note] Title` is a separate line.
markdownIt.core.ruler.push('x_callout', ({ tokens }) => {
  for (const { content, children } of tokens) {
    const first = children && /^\[![a-z]+\]/i.test(content) ? children.find(({ type }) => type === 'softbreak') : undefined
    if (first) first.type = 'hardbreak'
  }
})

/** Markdown as in CommonMark and GitHub, with equations, highlights and links to notes. */
export function htmlOfMarkdown(text: string): string {
  return markdownIt.render(text)
}

function lineOf(state: StateBlock, line: number): string {
  return state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line])
}

function addText(state: StateInline, tag: string, text: string): void {
  state.push('html_inline', '', 0).content = `<${tag}>`
  state.push('text', '', 0).content = text
  state.push('html_inline', '', 0).content = `</${tag}>`
}

/** The maximum depth of quotations and lists. The library drops deeper content. */
const LEVELS_MAX = 95

/** Content beyond the maximum depth becomes one paragraph. */
function tooDeep(state: StateBlock, line: number, endLine: number, silent: boolean): boolean {
  if (silent || state.level < LEVELS_MAX) return false
  addParagraph(state, line, endLine)
  return true
}

function addParagraph(state: StateBlock, line: number, end: number): void {
  state.push('paragraph_open', 'p', 1).map = [line, end]
  const inline = state.push('inline', '', 0)
  inline.content = state.getLines(line, end, state.blkIndent, false).trim()
  inline.children = []
  state.push('paragraph_close', 'p', -1)
  state.line = end
}

/** `[^1]: text` does not define an address. It stays a paragraph. */
function footnote(state: StateBlock, line: number, endLine: number, silent: boolean): boolean {
  if (!lineOf(state, line).startsWith('[^') || !/^\[\^[^\]\s]{1,100}\]:/.test(lineOf(state, line))) return false
  if (silent) return true
  let end = line + 1
  while (end < endLine && !state.isEmpty(end) && !/^\[[^\]]+\]:/.test(lineOf(state, end))) end += 1
  addParagraph(state, line, end)
  return true
}

const EQUATION_LINES_MAX = 200

/** `$$`, an expression on one or more lines, `$$` */
function equationBlock(state: StateBlock, line: number, endLine: number, silent: boolean): boolean {
  const first = lineOf(state, line).trim()
  if (!first.startsWith('$$')) return false
  const lineMax = Math.min(endLine, line + EQUATION_LINES_MAX)
  let end = line
  if (first.length <= '$$$$'.length || !first.endsWith('$$')) end += 1
  while (end < lineMax && !lineOf(state, end).trimEnd().endsWith('$$')) end += 1
  if (end >= lineMax) return false
  const written = state.getLines(line, end + 1, state.blkIndent, false).trim()
  const expression = written.slice('$$'.length, -'$$'.length).trim()
  if (expression.includes('$$')) return false
  if (silent) return true
  const token = state.push('html_block', '', 0)
  token.content = `<x-equation>${markdownIt.utils.escapeHtml(expression)}</x-equation>\n`
  state.line = end + 1
  return true
}

const equations = new WeakMap<StateInline, Equations>()

/** `$x$`, unless a word or a number is next to it, as in `US$5`. */
function math(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  if (src[pos] !== '$' || /[\w$]$/.test(src.slice(Math.max(0, pos - 1), pos))) return false
  const known = equations.get(state) ?? new Equations(src)
  equations.set(state, known)
  const found = known.at(pos)
  if (!found || found.end > state.posMax || /^\w/.test(src.slice(found.end, found.end + 1))) return false
  if (!silent) addText(state, 'x-math', found.expression)
  state.pos = found.end
  return true
}

const NOTE_LENGTH_MAX = 500
const NOTE = /^(!?)\[\[([^[\]|\n]+)(?:\|([^[\]\n]*))?\]\](?![([])/

/** `[[Note#Heading|label]]` and `![[picture.png]]` */
function noteLink(state: StateInline, silent: boolean): boolean {
  const { src, pos, env } = state
  if (!src.startsWith('[[', pos) && !src.startsWith('![[', pos)) return false
  const [whole, bang = '', name = '', label] = NOTE.exec(src.slice(pos, pos + NOTE_LENGTH_MAX)) ?? []
  if (whole === undefined || pos + whole.length > state.posMax) return false
  const { references } = env as { readonly references?: Readonly<Record<string, unknown>> }
  if (references && Object.hasOwn(references, markdownIt.utils.normalizeReference(name))) return false
  if (!silent) {
    const address = markdownIt.utils.escapeHtml(NOTE_SCHEME + encodeURIComponent(name.trim()))
    const text = markdownIt.utils.escapeHtml(label ?? name)
    state.push('html_inline', '', 0).content = bang
      ? `<img src="${address}" alt="${label === undefined || /^\d+(?:x\d+)?$/.test(label) ? '' : text}">`
      : `<a href="${address}">${text}</a>`
  }
  state.pos += whole.length
  return true
}

const ENCLOSED_LENGTH_MAX = 500

/** `==text==` and `~text~`, with any content */
function enclosed(state: StateInline, silent: boolean, mark: string, tag: string): boolean {
  const { src, pos, posMax } = state
  const start = pos + mark.length
  if (silent || !src.startsWith(mark, pos) || src[pos - 1] === mark[0] || !/[^\s=~]/.test(src.charAt(start))) return false
  const end = endOf(state, start, mark)
  if (end === undefined) return false
  state.push('html_inline', '', 0).content = `<${tag}>`
  ;[state.pos, state.posMax] = [start, end]
  state.md.inline.tokenize(state)
  ;[state.pos, state.posMax] = [end + mark.length, posMax]
  state.push('html_inline', '', 0).content = `</${tag}>`
  return true
}

/** The position of the closing mark on the same line. Links and code that contain the mark are skipped. */
function endOf(state: StateInline, start: number, mark: string): number | undefined {
  const { src, pos, posMax } = state
  const [line = ''] = src.slice(start, Math.min(posMax, start + ENCLOSED_LENGTH_MAX)).split('\n', 1)
  const max = start + line.length
  if (!line.includes(mark)) return undefined
  state.pos = start
  while (state.pos < max && !src.startsWith(mark, state.pos)) state.md.inline.skipToken(state)
  const end = state.pos
  state.pos = pos
  return end < max && /[^\s=~]/.test(src.charAt(end - 1)) && src[end + mark.length] !== mark[0] ? end : undefined
}

/** `<aside>` on its own line. Exports write Markdown directly below it, which CommonMark would treat as HTML. */
function asideTag(state: StateBlock, line: number, _endLine: number, silent: boolean): boolean {
  if (lineOf(state, line).trim() !== '<aside>') return false
  if (silent) return true
  state.push('html_block', '', 0).content = '<aside>\n'
  state.line = line + 1
  return true
}
