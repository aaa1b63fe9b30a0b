import type { MarkdownIt, StateBlock } from 'markdown-it'
import type { BlockType, Color } from '../../../../../generated/types.ts'
import type { SlicedWork } from '../../../../kernel/yield_to_event_loop.ts'
import { isEscaped, trimTrailingBlanks, trimEdges } from '../shared/escapes.ts'
import { parseColor } from '../shared/color_words.ts'
import { PARSE_DEPTH_MAX, type BlockFields, type Inline, type MarkdownBlock } from '../shared/markdown_block.ts'
import { parseAttributes, type Attributes } from '../shared/tags.ts'
import { parseInline } from './parse_inline.ts'

/** Thrown for a text with more blocks than the parser accepts. */
export class TooManyBlocksError extends Error {}

/** The state of parsing one text: the blocks of the current level, and data about its lines. */
export class ParseState {
  blocks: MarkdownBlock[] = []
  depth = 0
  /** The parent of the blocks of this level. */
  parent: BlockType | 'root' = 'root'
  readonly spans: ReadonlyMap<number, number>
  /** The ends of text that has been searched for tables without success. It is not searched again, so that each line is scanned once. */
  readonly failedTables = { tags: 0, pipes: 0 }
  readonly #later: (() => SlicedWork<void>)[] = []
  readonly #texts: { readonly text: string; readonly inlines: Inline[]; readonly change: (inline: Inline) => Inline }[] = []
  #remaining: number

  /** @param state the library's state, with which this one is associated */
  constructor(state: StateBlock, spans: ReadonlyMap<number, number>, blocksMax: number) {
    this.spans = spans
    this.#remaining = blocksMax
    parseStates.set(state.env, this)
  }

  /**
   * Records a text to be parsed later. @param change applied to each piece of the result
   * @returns the list that will hold the result
   */
  text(text: string, change: (inline: Inline) => Inline): readonly Inline[] {
    const inlines: Inline[] = []
    if (text !== '') this.#texts.push({ text, inlines, change })
    return inlines
  }

  /** Defers work until `finish`. It may use the results of work deferred before it. */
  later(work: () => SlicedWork<void>): void {
    this.#later.push(work)
  }

  /** Runs the deferred work, then parses the texts of all blocks. */
  *finish(markdownIt: MarkdownIt): SlicedWork<void> {
    for (const work of this.#later) yield* work()
    for (const { text, inlines, change } of this.#texts) {
      for (const inline of yield* parseInline(markdownIt, text)) inlines.push(change(inline))
      yield
    }
  }

  /** How many more blocks the limit allows. */
  get remaining(): number {
    return this.#remaining
  }

  /** @throws TooManyBlocksError */
  add(block: MarkdownBlock): void {
    this.count(1)
    this.blocks.push(block)
  }

  /** Counts blocks that are not added one by one. @throws TooManyBlocksError */
  count(blocks: number): void {
    this.#remaining -= blocks
    if (this.#remaining < 0) throw new TooManyBlocksError()
  }
}

const parseStates = new WeakMap<object, ParseState>()

export function parseStateOf(state: StateBlock): ParseState {
  const own = parseStates.get(state.env)
  if (!own) throw new Error('this text is not being parsed')
  return own
}

/** A block rule of markdown-it. If `silent`, it only tells whether it would match. */
export type BlockRule = (state: StateBlock, line: number, endLine: number, silent: boolean) => boolean

/** Adds a block whose last line is before `nextLine`. @returns true, since the rule has matched */
export function addBlock(state: StateBlock, block: MarkdownBlock, nextLine: number): true {
  parseStateOf(state).add(block)
  state.line = nextLine
  return true
}

/** The text of a line without its indentation. */
export function wholeLine(state: StateBlock, line: number): string {
  return state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line])
}

/** Like `wholeLine`, without trailing blanks: for matching syntax, not for keeping text. */
export function lineText(state: StateBlock, line: number): string {
  return trimTrailingBlanks(wholeLine(state, line))
}

/** Parses lines as a nested level. @param indent a line with less indentation ends the level */
export function parseLevel(state: StateBlock, parent: BlockType, line: number, endLine: number, indent: number): MarkdownBlock[] {
  const own = parseStateOf(state)
  const { blocks, parent: outerParent } = own
  const { blkIndent } = state
  own.blocks = []
  own.parent = parent
  own.depth += 1
  state.blkIndent = indent
  state.line = line
  state.md.block.tokenize(state, line, endLine)
  const level = own.blocks
  own.blocks = blocks
  own.parent = outerParent
  own.depth -= 1
  state.blkIndent = blkIndent
  return level
}

/** Parses the children of a block, which are indented deeper. @param indent the required indentation; one tab deeper by default */
export function parseChildren(
  state: StateBlock,
  parent: BlockType,
  line: number,
  endLine: number,
  indent?: number,
): MarkdownBlock[] {
  const needed = indent ?? Math.floor((state.sCount[line] ?? 0) / 4) * 4 + 4
  state.line = line + 1
  return parseStateOf(state).depth < PARSE_DEPTH_MAX ? parseLevel(state, parent, line + 1, endLine, needed) : []
}

/** The text of a block. The list is empty until all blocks are found: a text may be long, and is parsed in steps afterwards. */
export function parseBlockText(
  state: StateBlock,
  text: string,
  change: (inline: Inline) => Inline = (inline) => inline,
): readonly Inline[] {
  return parseStateOf(state).text(trimEdges(text), change)
}

interface Attributed {
  readonly text: string
  readonly color?: Color
  readonly toggle?: boolean
}

const ATTRIBUTE_LIST = /^\{((?:[ \t]*[a-z_-]+="[^"]*")+)[ \t]*\}$/

/** Splits the attribute list off the end of a line. A list with an unknown key or value is plain text. */
export function takeAttributes(line: string, takesToggle = false): Attributed {
  const trimmed = trimTrailingBlanks(line)
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
