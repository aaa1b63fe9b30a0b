import type { BlockType, CodeLanguage, Color, DateValue } from '../../../../generated/types.ts'

/** How a run of text looks; what is left out is plain. */
export interface Marks {
  readonly bold?: boolean
  readonly italic?: boolean
  readonly strikethrough?: boolean
  readonly underline?: boolean
  readonly code?: boolean
  readonly color?: Color
}

/** What a mention tag can name. Data sources and agents are only read: they are kept as their database, and as a user. */
export type MentionKind = 'user' | 'page' | 'database' | 'data_source' | 'agent'

/** A piece of text of the dialect, between rich text as it is stored and Markdown. */
export type Inline = { readonly marks: Marks } & (
  | { readonly type: 'text'; readonly text: string; readonly link?: string }
  | { readonly type: 'equation'; readonly expression: string }
  /** `label` stands in for what cannot be seen; `url` is what a tag says instead of the bare id. */
  | { readonly type: 'mention'; readonly kind: MentionKind; readonly id: string; readonly url?: string; readonly label: string }
  | { readonly type: 'date'; readonly date: DateValue }
  /** A custom emoji by its name; text where the workspace has none of that name. */
  | { readonly type: 'emoji'; readonly name: string; readonly link?: string; readonly id?: string }
)

/** What a line or a tag says about its block, text and children aside. Each type has some of these. */
export interface BlockFields {
  readonly color?: Color
  readonly checked?: boolean
  readonly toggle?: boolean
  /** Number of the first item of a numbered run; left out for 1 and on every other item. */
  readonly start?: number
  /** An emoji, `:name:` or an address. */
  readonly icon?: string
  readonly language?: CodeLanguage
  /** Text of a code block. */
  readonly code?: string
  readonly expression?: string
  /** Address of a file. */
  readonly source?: string
  /** The block, page or database that a tag names. */
  readonly id?: string
  /** Address of a tag, as it is written out. */
  readonly url?: string
  /** The type behind an `<unknown>`, the part of meeting notes, or `copy` for a block that shows an original which is elsewhere. */
  readonly alt?: string
  readonly inline?: boolean
  readonly widthRatio?: number
  readonly columnHeader?: boolean
  readonly rowHeader?: boolean
  /** Address of a transcript that is not shown. */
  readonly transcript?: string
  readonly cells?: readonly (readonly Inline[])[]
}

/**
 * A block as the dialect shows it. Types without a form of their own are `unsupported`, which is `<unknown>`; a link to a page or
 * database is a `child_page` or `child_database`, which look the same.
 */
export interface MarkdownBlock {
  readonly type: BlockType
  readonly text: readonly Inline[]
  readonly fields: BlockFields
  readonly children: readonly MarkdownBlock[]
  /** The line of the text that it begins on, counted from 0. */
  readonly line: number
}

/** Levels of blocks that are written; what is deeper is cut off. */
export const DEPTH_MAX = 100

/** Levels that are read; what is deeper is pulled up. Whatever is written can be read. */
export const READ_DEPTH_MAX = DEPTH_MAX + 10

/** Blocks in one text, read or written. */
export const BLOCKS_MAX = 20_000
