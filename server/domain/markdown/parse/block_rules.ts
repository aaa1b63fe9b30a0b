import type { MarkdownIt, StateBlock } from 'markdown-it'
import type { BlockType, Color } from '../../../../generated/types.ts'
import { isFileAddress, parseDestination } from '../shared/addresses.ts'
import { bracketPairs } from './code_spans.ts'
import { isEscaped, trimBlanksBehind, trimEdges } from '../shared/escapes.ts'
import { EXPRESSION_LENGTH_MAX } from '../shared/equations.ts'
import { parseInline } from './parse_inline.ts'
import { lineText, wholeLine } from './parse_spans.ts'
import { isDelimiterRow, parsePipeRows } from './parse_table_rows.ts'
import { parseAttributes } from '../shared/tags.ts'
import { READ_DEPTH_MAX, type BlockFields, type Inline, type MarkdownBlock } from '../shared/markdown_block.ts'
import { parseColor } from '../shared/color_words.ts'
import { parseLanguage } from './parse_language.ts'

/** A text with more blocks than may be read at once. */
export class TooManyBlocksError extends Error {}

/** One reading of a text: where its blocks go, and what is known about its lines. */
export class Reading {
  /** Blocks of the level that is being read. */
  blocks: MarkdownBlock[] = []
  depth = 0
  /** Blocks that came as `<tab>`. */
  readonly tabItems = new WeakSet<MarkdownBlock>()
  /** What the blocks of this level stand in. */
  parent: BlockType | 'root' = 'root'
  readonly spans: ReadonlyMap<number, number>
  #left: number

  constructor(spans: ReadonlyMap<number, number>, blocksMax: number) {
    this.spans = spans
    this.#left = blocksMax
  }

  /** @throws TooManyBlocksError */
  add(block: MarkdownBlock): void {
    this.#left -= block.type === 'table' ? 1 + block.children.length : 1
    if (this.#left < 0) throw new TooManyBlocksError()
    this.blocks.push(block)
  }
}

const readings = new WeakMap<object, Reading>()

export function begin(state: StateBlock, reading: Reading): void {
  readings.set(state.env, reading)
}

export function readingOf(state: StateBlock): Reading {
  const reading = readings.get(state.env)
  if (!reading) throw new Error('this text is not being read')
  return reading
}

export type BlockRule = (state: StateBlock, line: number, endLine: number, silent: boolean) => boolean

/** Reads lines as a level of its own. @param indent lines that are indented less end it */
export function parseLevel(state: StateBlock, parent: BlockType, line: number, endLine: number, indent: number): MarkdownBlock[] {
  const reading = readingOf(state)
  const [blocks, outerParent, outerIndent] = [reading.blocks, reading.parent, state.blkIndent]
  reading.blocks = []
  reading.parent = parent
  reading.depth += 1
  state.blkIndent = indent
  state.line = line
  state.md.block.tokenize(state, line, endLine)
  const level = reading.blocks
  reading.blocks = blocks
  reading.parent = outerParent
  reading.depth -= 1
  state.blkIndent = outerIndent
  return level
}

/** The lines below a block that are indented deeper. @param indent how deep they must be; a tab deeper when left out */
export function parseChildren(
  state: StateBlock,
  parent: BlockType,
  line: number,
  endLine: number,
  indent?: number,
): MarkdownBlock[] {
  const [next, reading] = [line + 1, readingOf(state)]
  const needed = indent ?? Math.floor((state.sCount[line] ?? 0) / 4) * 4 + 4
  state.line = next
  return reading.depth < READ_DEPTH_MAX ? parseLevel(state, parent, next, endLine, needed) : []
}

export function parseBlockText(state: StateBlock, text: string): readonly Inline[] {
  return parseInline(state.md, trimEdges(text))
}

interface Attributed {
  readonly text: string
  readonly color?: Color
  readonly toggle?: boolean
}

const ATTRIBUTE_LIST = /^\{((?:[ \t]*[a-z_-]+="[^"]*")+)[ \t]*\}$/

/** Takes the attribute list off the end of a line. One with an unknown key or value stays, as text. */
export function takeAttributes(line: string, takesToggle = false): Attributed {
  const trimmed = trimBlanksBehind(line)
  const start = trimmed.endsWith('}') ? trimmed.lastIndexOf('{') : -1
  const [, list] = start === -1 || isEscaped(line, start) ? [] : (ATTRIBUTE_LIST.exec(trimmed.slice(start)) ?? [])
  if (list === undefined) return { text: line }
  const found: { color?: Color; toggle?: boolean } = {}
  for (const [name, value] of parseAttributes(list)) {
    const color = name === 'color' ? parseColor(value) : undefined
    if (color !== undefined) found.color = color
    else if (takesToggle && name === 'toggle' && (value === 'true' || value === 'false')) found.toggle = value === 'true'
    else return { text: line }
  }
  const end = line[start - 1] === ' ' && !isEscaped(line, start - 1) ? start - 1 : start
  return { text: line.slice(0, end), ...found }
}

export function fieldsOf({ color, toggle }: Pick<Attributed, 'color' | 'toggle'>): BlockFields {
  return { ...(color === undefined || color === 'default' ? {} : { color }), ...(toggle ? { toggle } : {}) }
}

const HEADING = /^(#{1,6})(?:[ \t]+|$)/
const HEADING_TYPES: readonly BlockType[] = ['heading_1', 'heading_2', 'heading_3', 'heading_4']

const headingRule: BlockRule = (state, line, endLine, silent) => {
  const text = wholeLine(state, line)
  const marker = HEADING.exec(text)
  if (!marker) return false
  if (silent) return true
  const attributed = takeAttributes(text.slice(marker[0].length), true)
  const type = HEADING_TYPES[Math.min(marker[1]?.length ?? 1, HEADING_TYPES.length) - 1] ?? 'heading_4'
  state.line = line + 1
  const children = attributed.toggle ? parseChildren(state, type, line, endLine) : []
  readingOf(state).add({ type, text: parseBlockText(state, attributed.text), fields: fieldsOf(attributed), children, line })
  return true
}

const ITEM = /^(?:([-*+])|(\d{1,9})\.)(?:[ \t]+|$)/
const CHECKBOX = /^\[([ xX])\](?:[ \t]+|$)/

const itemRule: BlockRule = (state, line, endLine, silent) => {
  const text = wholeLine(state, line)
  const marker = ITEM.exec(text)
  if (!marker) return false
  if (silent) return true
  const [whole, bullet, number] = marker
  const checkbox = bullet === undefined ? undefined : (CHECKBOX.exec(text.slice(whole.length)) ?? undefined)
  const type = number !== undefined ? 'numbered_list_item' : checkbox ? 'to_do' : 'bulleted_list_item'
  const textStart = whole.length + (checkbox?.[0].length ?? 0)
  // Two blanks below a bullet are deep enough, as in other kinds of Markdown.
  const indent = (state.sCount[line] ?? 0) + Math.min((bullet ?? `${number}.`).length + 1, 4)
  const own: BlockFields = checkbox ? { checked: checkbox[1] !== ' ' } : startOf(state, number)
  const inner = textStart < text.length ? innerBlocks(state, type, line, endLine, textStart, indent) : undefined
  if (inner) {
    readingOf(state).add({ type, text: [], fields: own, children: inner, line })
    return true
  }
  const attributed = takeAttributes(text.slice(textStart))
  const children = parseChildren(state, type, line, endLine, indent)
  readingOf(state).add({
    type,
    text: parseBlockText(state, attributed.text),
    fields: { ...own, ...fieldsOf(attributed) },
    children,
    line,
  })
  return true
}

/** Only the first number of a run counts. */
function startOf(state: StateBlock, number: string | undefined): BlockFields {
  if (number === undefined || readingOf(state).blocks.at(-1)?.type === 'numbered_list_item') return {}
  return Number(number) === 1 ? {} : { start: Number(number) }
}

/** What stands behind a list marker, when it is another block: `- ## Title`. The line is read again without its marker. */
function innerBlocks(
  state: StateBlock,
  type: BlockType,
  line: number,
  endLine: number,
  textStart: number,
  indent: number,
): MarkdownBlock[] | undefined {
  const [tShift, sCount] = [state.tShift[line] ?? 0, state.sCount[line] ?? 0]
  if (readingOf(state).depth >= READ_DEPTH_MAX) return undefined
  state.tShift[line] = tShift + textStart
  state.sCount[line] = Math.max(indent, sCount + textStart)
  const isBlock = state.md.block.ruler.getRules('').some((rule) => rule !== paragraphRule && rule(state, line, endLine, true))
  const blocks = isBlock ? parseLevel(state, type, line, endLine, indent) : undefined
  state.tShift[line] = tShift
  state.sCount[line] = sCount
  return blocks
}

const quoteRule: BlockRule = (state, line, endLine, silent) => {
  const text = wholeLine(state, line)
  if (!text.startsWith('>')) return false
  if (silent) return true
  const attributed = takeAttributes(text.slice(text[1] === ' ' ? 2 : 1))
  const children = parseChildren(state, 'quote', line, endLine)
  readingOf(state).add({
    type: 'quote',
    text: parseBlockText(state, attributed.text),
    fields: fieldsOf(attributed),
    children,
    line,
  })
  return true
}

const dividerRule: BlockRule = (state, line, _endLine, silent) => {
  if (!/^(?:-{3,}|\*{3,}|_{3,})$/.test(lineText(state, line))) return false
  if (silent) return true
  readingOf(state).add({ type: 'divider', text: [], fields: {}, children: [], line })
  state.line = line + 1
  return true
}

const fenceRule: BlockRule = (state, line, endLine, silent) => {
  const info = /^`{3,}([^`]*)$/.exec(lineText(state, line))?.[1]
  const end = readingOf(state).spans.get(line)
  if (info === undefined || end === undefined) return false
  if (silent) return true
  const lastLine = end === -1 ? endLine : end
  const code = state.getLines(line + 1, lastLine, state.sCount[line] ?? 0, false)
  readingOf(state).add({ type: 'code', text: [], fields: { language: parseLanguage(info), code }, children: [], line })
  state.line = end === -1 ? endLine : end + 1
  return true
}

const equationRule: BlockRule = (state, line, _endLine, silent) => {
  const text = lineText(state, line)
  if (!text.startsWith('$$')) return false
  const end = text === '$$' ? readingOf(state).spans.get(line) : undefined
  const onOneLine = /^\$\$([^]+)\$\$$/.exec(text)?.[1]?.trim()
  const expression = end === undefined ? onOneLine : state.getLines(line + 1, end, state.sCount[line] ?? 0, false)
  if (expression === undefined || expression.trim() === '' || [...expression].length > EXPRESSION_LENGTH_MAX) return false
  if (end === undefined && /(?:^|[^\\])(?:\\\\)*\$/.test(expression)) return false
  if (silent) return true
  readingOf(state).add({ type: 'equation', text: [], fields: { expression }, children: [], line })
  state.line = (end ?? line) + 1
  return true
}

/** `![caption](address)` alone on its line. */
const imageRule: BlockRule = (state, line, _endLine, silent) => {
  const whole = lineText(state, line)
  if (!whole.startsWith('![')) return false
  const { text } = takeAttributes(whole)
  const close = bracketPairs(text).get(1)
  const target = close === undefined || text[close + 1] !== '(' ? undefined : parseDestination(text, close + 1)
  if (close === undefined || !target || target.end !== text.trimEnd().length || !isFileAddress(target.url)) return false
  if (silent) return true
  readingOf(state).add({
    type: 'image',
    text: parseBlockText(state, text.slice(2, close)),
    fields: { source: target.url },
    children: [],
    line,
  })
  state.line = line + 1
  return true
}

const pipeTableRule: BlockRule = (state, line, endLine, silent) => {
  const head = lineText(state, line)
  if (!head.startsWith('|') || line + 1 >= endLine || !isDelimiterRow(lineText(state, line + 1))) return false
  if (silent) return true
  const lines = [{ text: head, line }]
  let next = line + 2
  for (; next < endLine; next += 1) {
    const text = lineText(state, next)
    if (!text.startsWith('|') || (state.sCount[next] ?? 0) < state.blkIndent) break
    lines.push({ text, line: next })
  }
  const children = parsePipeRows(lines, (text) => parseBlockText(state, text))
  if (!children) return false
  readingOf(state).add({ type: 'table', text: [], fields: { columnHeader: true }, children, line })
  state.line = next
  return true
}

const paragraphRule: BlockRule = (state, line, endLine, silent) => {
  if (silent) return true
  const attributed = takeAttributes(wholeLine(state, line))
  const children = parseChildren(state, 'paragraph', line, endLine)
  readingOf(state).add({
    type: 'paragraph',
    text: parseBlockText(state, attributed.text),
    fields: fieldsOf(attributed),
    children,
    line,
  })
  return true
}

const rules: readonly (readonly [name: string, rule: BlockRule])[] = [
  ['fence', fenceRule],
  ['equation', equationRule],
  ['divider', dividerRule],
  ['heading', headingRule],
  ['item', itemRule],
  ['quote', quoteRule],
  ['image', imageRule],
  ['pipe_table', pipeTableRule],
]

/** Makes the library read the blocks of the dialect. @param more further rules; a line that none of them takes is a paragraph */
export function addBlockRules(markdownIt: MarkdownIt, more: readonly (readonly [name: string, rule: BlockRule])[]): void {
  const all = [...rules, ...more, ['paragraph', paragraphRule] as const].map(([name, rule]) => [`dialect_${name}`, rule] as const)
  for (const [name, rule] of all) markdownIt.block.ruler.push(name, rule)
  markdownIt.block.ruler.enableOnly(all.map(([name]) => name))
}
