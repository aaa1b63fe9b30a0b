import type { Annotations, BlockType, CodeLanguage, Color, DateValue } from '../../../../../generated/types.ts'

/** The formatting of a run of text. Omitted members are off. */
export type TextMarks = Readonly<Partial<Annotations>>

/** What a mention tag can refer to. Data sources and agents are only parsed: they are stored as their database and as a user. */
export type MentionKind = 'user' | 'page' | 'database' | 'data_source' | 'agent'

/** The name of the tag of each kind of mention. */
export const MENTION_TAGS: Readonly<Record<MentionKind, string>> = {
  user: 'mention-user',
  page: 'mention-page',
  database: 'mention-database',
  data_source: 'mention-data-source',
  agent: 'mention-agent',
}

/** A piece of inline text: the intermediate form between stored rich text and Markdown. */
export type Inline = { readonly outcomes: TextMarks } & (
  | { readonly type: 'text'; readonly text: string; readonly link?: string }
  | InlineObject
)
/** A piece of inline text that is not a run of characters. */
export type InlineObject =
  | { readonly type: 'equation'; readonly expression: string }
  /** `label` is shown if the target is not visible; `url` is written in the tag instead of the bare id. */
  | { readonly type: 'mention'; readonly kind: MentionKind; readonly id: string; readonly url?: string; readonly label: string }
  | { readonly type: 'date'; readonly date: DateValue }
  /** A custom emoji. It is written as text if the workspace has none with that name. */
  | { readonly type: 'emoji'; readonly name: string; readonly link?: string; readonly id?: string }

/** Whether two runs of text have the same formatting. */
export function sameMarks(one: TextMarks, other: TextMarks): boolean {
  if (one === other) return true
  const sameColor = (one.color ?? 'default') === (other.color ?? 'default')
  return sameColor && MARKS.every((mark) => Boolean(one[mark]) === Boolean(other[mark]))
}

const MARKS = ['bold', 'italic', 'code', 'strikethrough', 'underline'] as const

/** Joins adjacent texts with equal marks, because the marks of two adjacent texts would not be parsed as marks. Drops empty texts. */
export function* joinTexts(inlines: Iterable<Inline>): Generator<Inline> {
  let last: Inline | undefined
  let more = ''
  const joined = (one: Inline): Inline => (one.type === 'text' && more !== '' ? { ...one, text: one.text + more } : one)
  for (const inline of inlines) {
    if (inline.type === 'text' && inline.text === '') continue
    if (
      inline.type === 'text' &&
      last?.type === 'text' &&
      last.link === inline.link &&
      sameMarks(last.outcomes, inline.outcomes)
    ) {
      more += inline.text
    } else {
      if (last) yield joined(last)
      last = inline
      more = ''
    }
  }
  if (last) yield joined(last)
}

/** The properties of a block besides its text and children. Each type uses some of them. */
export interface BlockFields {
  readonly color?: Color
  readonly checked?: boolean
  readonly toggle?: boolean
  /** The number of the first item of a numbered list, unless it is 1. All other items omit it. */
  readonly start?: number
  /** An emoji, `:name:` or an address. */
  readonly icon?: string
  readonly language?: CodeLanguage
  /** The text of a code block. */
  readonly code?: string
  readonly expression?: string
  /** The address of a file. */
  readonly source?: string
  /** The block, page or database that a tag names. */
  readonly id?: string
  /** The address in a tag, exactly as it is written. */
  readonly url?: string
  /** The type of an `<unknown>` block, the part of meeting notes, or `copy` for a synced copy of an original elsewhere. */
  readonly alt?: string
  readonly inline?: boolean
  readonly widthRatio?: number
  readonly columnHeader?: boolean
  readonly rowHeader?: boolean
  /** The address of a transcript that is not shown. */
  readonly transcript?: string
  readonly cells?: readonly (readonly Inline[])[]
}

/**
 * A block as the dialect shows it. Types without a Markdown form are `unsupported`, written as `<unknown>`. A link to a page or database is
 * a `child_page` or `child_database`, because they look the same.
 */
export interface MarkdownBlock {
  readonly type: BlockType
  readonly text: readonly Inline[]
  readonly fields: BlockFields
  readonly children: readonly MarkdownBlock[]
  /** The line of the text on which the block begins, counted from 0. */
  readonly line: number
}

/** Creates a block, with defaults for omitted members. */
export function markdownBlock(
  type: BlockType,
  { text = [], fields = {}, children = [], line = 0 }: Partial<Omit<MarkdownBlock, 'type'>> = {},
): MarkdownBlock {
  return { type, text, fields, children, line }
}

/** The maximum number of nested levels that are written. Deeper blocks are omitted. */
export const DEPTH_MAX = 100

/**
 * The maximum number of nested levels that are parsed. Deeper blocks are moved up. It is larger than `DEPTH_MAX`, so that all written text
 * can be parsed.
 */
export const PARSE_DEPTH_MAX = DEPTH_MAX + 10

/** The maximum number of blocks in one text that is read or written. */
export const BLOCKS_MAX = 20_000
