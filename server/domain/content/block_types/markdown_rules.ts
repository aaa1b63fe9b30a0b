import type { StateBlock } from 'markdown-it'
import type { BlockType, Icon, RichTextItemRequest } from '../../../../generated/types.ts'
import type { Block as StoredBlock, StoredContent } from '../../../store/blocks.ts'
import type { Resolved } from '../markdown/parse/resolved.ts'
import type { BlockRule } from '../markdown/parse/parse_state.ts'
import type { HostedFiles } from '../markdown/shared/hosted_files.ts'
import type { BlockFields, Inline, MarkdownBlock } from '../markdown/shared/markdown_block.ts'
import type { Tag } from '../markdown/shared/tags.ts'
import type { Facts } from '../rich_text/facts.ts'

/** The Markdown form of a block type. Types without one are `formless`: they are parsed from and written as `<unknown>`. */
export interface MarkdownRules<Type extends BlockType = BlockType> {
  /** The type as which a stored block is parsed from its Markdown: its own, or another one with the same Markdown. */
  readonly readsAs: (content: StoredContent) => Type | 'child_page' | 'child_database' | 'unsupported'
  readonly load: LoadRules
  /** The page or database whose name the line shows: the block itself or the target of a link. */
  readonly names: (block: Pick<StoredBlock, 'id' | 'content'>) => NamedRecord | undefined
  /** Converts a stored block to a block of the dialect. */
  readonly present: (node: AnyNode, view: MarkdownView) => MarkdownBlock
  /** Writes a block of the dialect as lines. @param number the position in its run, for numbered blocks */
  readonly write: (block: MarkdownBlock, writer: BlockWriter, depth: number, number: number) => void
  /** The syntax of the block's line; null if it is a tag. Types whose lines begin alike share the syntax. */
  readonly line: LineSyntax | null
  /** The tags of the type, by name. */
  readonly tags: Readonly<Record<string, LoneTag | EnclosingTag>>
  readonly compare: CompareRules
  readonly draft: DraftRules
}

/** Which descendants are loaded to show a block. */
export interface LoadRules {
  readonly children: 'always' | 'as root' | 'never'
  /** Whether the whole block is omitted if any of its children would be. */
  readonly isWhole: boolean
  /** The id of a child that is shown only if transcripts are requested. */
  readonly transcript: (content: StoredContent) => string | undefined
}

export interface NamedRecord {
  readonly kind: 'page' | 'database'
  readonly id: string
}

/** A stored block with its descendants, as far as they were loaded. */
export interface PageNode<Node> {
  readonly block: Pick<StoredBlock, 'id' | 'type' | 'content' | 'pageId'>
  readonly children: readonly Node[]
  /** Whether it appears as `<unknown>`, because the page is too large or the block is not visible. */
  readonly isMissing: boolean
}

export interface AnyNode extends PageNode<AnyNode> {
  readonly isMissing: boolean
}

/** The context for writing a page as Markdown. */
export interface ShowFacts extends Facts {
  /** The originals of synced copies, for their addresses. */
  readonly originals: ReadonlyMap<string, Pick<StoredBlock, 'id' | 'pageId'>>
  /** Details of databases that are shown besides their names. */
  readonly databases: ReadonlyMap<string, { readonly inline: boolean; readonly icon: Icon | null }>
}

/** Converts the content and children of a block. */
export interface MarkdownView {
  readonly facts: ShowFacts
  list(nodes: readonly AnyNode[]): readonly MarkdownBlock[]
  block(node: AnyNode): MarkdownBlock
  /** Records which node a block represents. @returns the block */
  shows(node: AnyNode, block: MarkdownBlock): MarkdownBlock
  /** The `<unknown>` block for a node that cannot be shown. */
  unknown(node: AnyNode): MarkdownBlock
  /** @param stored rich text */
  text(stored: unknown): Inline[]
  /** @param stored an icon; undefined if there is none */
  icon(stored: unknown): string | undefined
}

export interface BlockWriter {
  line(depth: number, text: string): void
  list(blocks: readonly MarkdownBlock[], depth: number): void
  /** Writes lines that are owned by a block. */
  owned(block: MarkdownBlock, write: () => void): void
}

interface LineSyntax {
  /** The characters with which a line of this syntax may begin. */
  readonly first: string
  readonly parse: BlockRule
}

/** A tag at the start of a line, and the rest of the line. */
export interface TagLine {
  readonly tag: Tag
  readonly rest: string
  readonly line: number
}

/** A tag on one line: `<page url="…">label</page>`, `<empty-block/>`. */
export interface LoneTag {
  readonly form: 'lone'
  /** Whether indented lines below it are its children. */
  readonly hasChildren: boolean
  /** @returns undefined if the tag is invalid; the line is then plain text */
  readonly parse: (state: StateBlock, line: TagLine, label: string) => MarkdownBlock | undefined
}

/** A tag that encloses lines up to its closing tag. */
export interface EnclosingTag {
  readonly form: 'enclosing'
  /** What may follow the tag on its line. */
  readonly trailing: 'nothing' | '<summary>' | 'anything'
  /** Whether `::: name {…}` … `:::` is an alternative syntax. */
  readonly hasColons: boolean
  /** Whether the tag is valid below a parent of this type. */
  readonly mayStand: (tag: Tag, parent: BlockType | 'root') => boolean
  readonly parse: (state: StateBlock, line: TagLine, end: number) => MarkdownBlock | undefined
}

/** How blocks of the current and the changed text are compared to find which stored blocks are kept. */
export interface CompareRules {
  /** Whether the children are not parsed from the text. */
  readonly isOpaque: (fields: BlockFields) => boolean
  /** Whether the tag holds an id that identifies the block, regardless of its place and other content. */
  readonly isNamed: boolean
  /** Whether a tag without an id matches any other block of the type. */
  readonly isFoundUnnamed: boolean
  /** A number that stands for the properties that updates cannot change: blocks with different shapes are never matched. */
  readonly shape: (block: MarkdownBlock) => number
}

/** How a new block of the dialect is turned into stored blocks. */
export interface DraftRules {
  /**
   * `block`: a block with its children; `alone`: a block without them. `inside`: only the children, for a layout with a single part or a
   * copy without an original. `nothing`: no block, for a tag that can only keep an existing one.
   */
  readonly form: (block: MarkdownBlock, resolved: Resolved) => 'block' | 'alone' | 'inside' | 'nothing'
  /** The content of the block. It has several entries, created one by one, if the text must be split into several blocks. */
  readonly contents: (block: MarkdownBlock, maker: ContentMaker) => Iterable<NewContent>
  /** Whether its children are only layout and are also dropped when the form is `inside`. */
  readonly isGrid: boolean
  /** Whether the record named by the id in the tag must be read. */
  readonly namesRecord: boolean
}

export interface NewContent {
  readonly type: BlockType
  readonly content: StoredContent
}

export interface ContentMaker {
  readonly resolved: Resolved
  /** Hosted files that a block keeps when it refers to them. */
  readonly hosted: HostedFiles
  create(type: BlockType, written: object): NewContent
  update(type: BlockType, stored: StoredContent, written: object): NewContent
  /** @throws ServiceError `validation_error` for a text with too many pieces, which cannot be split */
  whole(text: readonly Inline[], what: string): RichTextItemRequest[]
}
