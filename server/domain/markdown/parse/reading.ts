import type { StateBlock } from 'markdown-it'
import type { BlockType, Color } from '../../../../generated/types.ts'
import { isEscaped, trimBlanksBehind, trimEdges } from '../shared/escapes.ts'
import { parseColor } from '../shared/color_words.ts'
import { READ_DEPTH_MAX, type BlockFields, type Inline, type MarkdownBlock } from '../shared/markdown_block.ts'
import { parseAttributes, type Attributes } from '../shared/tags.ts'
import { parseInline } from './parse_inline.ts'

/** A text with more blocks than may be read at once. */
export class TooManyBlocksError extends Error {}

/** One reading of a text: where its blocks go, and what is known about its lines. */
export class Reading {
  /** Blocks of the level that is being read. */
  blocks: MarkdownBlock[] = []
  depth = 0
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
    this.count(1)
    this.blocks.push(block)
  }

  /** Counts blocks that are not added one by one. @throws TooManyBlocksError */
  count(blocks: number): void {
    this.#left -= blocks
    if (this.#left < 0) throw new TooManyBlocksError()
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

/** What reads a line, as markdown-it asks it: whether it does, or would if it is to be silent. */
export type BlockRule = (state: StateBlock, line: number, endLine: number, silent: boolean) => boolean

/** The text of a line without its indentation. */
export function wholeLine(state: StateBlock, line: number): string {
  return state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line])
}

/** The same without blanks at its end, for what is no text. */
export function lineText(state: StateBlock, line: number): string {
  return trimBlanksBehind(wholeLine(state, line))
}

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

export function colorFields(attributes: Attributes): BlockFields {
  const color = parseColor(attributes.get('color') ?? '')
  return fieldsOf(color === undefined ? {} : { color })
}
