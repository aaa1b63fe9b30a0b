import type { StateBlock } from 'markdown-it'
import type { BlockType, Icon, RichTextItemRequest } from '../../../generated/types.ts'
import type { Block as StoredBlock, StoredContent } from '../../store/blocks.ts'
import type { Resolved } from '../markdown/parse/resolved.ts'
import type { BlockRule } from '../markdown/parse/parse_state.ts'
import type { HostedFiles } from '../markdown/shared/hosted_files.ts'
import type { BlockFields, Inline, MarkdownBlock } from '../markdown/shared/markdown_block.ts'
import type { Tag } from '../markdown/shared/tags.ts'
import type { Facts } from '../rich_text/facts.ts'

/** What a block type is in Markdown. Types without a form of their own are `formless`: they read and are written as `<unknown>`. */
export interface MarkdownRules<Type extends BlockType = BlockType> {
  /** The type that a stored block reads as: its own, or one that looks the same. */
  readonly readsAs: (content: StoredContent) => Type | 'child_page' | 'child_database' | 'unsupported'
  readonly load: LoadRules
  /** The page or database, itself or another, whose name its line shows. */
  readonly names: (block: Pick<StoredBlock, 'id' | 'content'>) => NamedRecord | undefined
  /** Row → block of the dialect. */
  readonly present: (node: AnyNode, view: MarkdownView) => MarkdownBlock
  /** Block of the dialect → lines. @param number in its run, for numbered blocks */
  readonly write: (block: MarkdownBlock, writer: BlockWriter, depth: number, number: number) => void
  /** How its line begins, where it is no tag; types that share a beginning share the syntax. */
  readonly line: LineSyntax | null
  /** The tags that it is written with, by name. */
  readonly tags: Readonly<Record<string, LoneTag | EnclosingTag>>
  readonly compare: CompareRules
  readonly draft: DraftRules
}

/** What is read from below a block to show it. */
export interface LoadRules {
  readonly children: 'always' | 'as root' | 'never'
  /** Its children cannot be missing one by one: the whole is. */
  readonly isWhole: boolean
  /** A child that is shown only to those who ask for transcripts. */
  readonly transcript: (content: StoredContent) => string | undefined
}

export interface NamedRecord {
  readonly kind: 'page' | 'database'
  readonly id: string
}

/** A stored block with what is below it, as far as it was loaded. */
export interface PageNode<Node> {
  readonly block: Pick<StoredBlock, 'id' | 'type' | 'content' | 'pageId'>
  readonly children: readonly Node[]
  /** It stands in the text as `<unknown>`: there is too much to show, or it cannot be seen. */
  readonly isMissing: boolean
}

export interface AnyNode extends PageNode<AnyNode> {
  readonly isMissing: boolean
}

/** What showing a page needs besides its blocks. */
export interface ShowFacts extends Facts {
  /** Originals that copies show, for their addresses. */
  readonly originals: ReadonlyMap<string, Pick<StoredBlock, 'id' | 'pageId'>>
  /** What is shown of databases besides their names. */
  readonly databases: ReadonlyMap<string, { readonly inline: boolean; readonly icon: Icon | null }>
}

/** Presents what stands in and below a block. */
export interface MarkdownView {
  readonly facts: ShowFacts
  list(nodes: readonly AnyNode[]): MarkdownBlock[]
  block(node: AnyNode): MarkdownBlock
  /** Records which node a block shows. @returns the block */
  shows(node: AnyNode, block: MarkdownBlock): MarkdownBlock
  /** A block that has no form, or none that can be shown. */
  unknown(node: AnyNode): MarkdownBlock
  /** @param stored rich text */
  text(stored: unknown): Inline[]
  /** @param stored an icon; undefined where there is none */
  icon(stored: unknown): string | undefined
}

export interface BlockWriter {
  line(depth: number, text: string): void
  list(blocks: readonly MarkdownBlock[], depth: number): void
  /** Writes lines that belong to a block. */
  owned(block: MarkdownBlock, write: () => void): void
}

interface LineSyntax {
  /** The characters that such a line may begin with. */
  readonly first: string
  readonly parse: BlockRule
}

/** A tag at the start of a line, and what follows it. */
export interface TagLine {
  readonly tag: Tag
  readonly rest: string
  readonly line: number
}

/** A tag on one line: `<page url="…">label</page>`, `<empty-block/>`. */
export interface LoneTag {
  readonly form: 'lone'
  /** Whether lines below it that are indented are its children. */
  readonly hasChildren: boolean
  /** @returns undefined where it says nothing that can be: then it is text */
  readonly parse: (state: StateBlock, line: TagLine, label: string) => MarkdownBlock | undefined
}

/** A tag that holds lines, up to its closing tag. */
export interface EnclosingTag {
  readonly form: 'enclosing'
  /** What may follow it on its line. */
  readonly behind: 'nothing' | '<summary>' | 'anything'
  /** Whether `::: name {…}` … `:::` is the same. */
  readonly hasColons: boolean
  /** @param parent what the tag stands in */
  readonly mayStand: (tag: Tag, parent: BlockType | 'root') => boolean
  readonly parse: (state: StateBlock, line: TagLine, end: number) => MarkdownBlock | undefined
}

/** How a text and a changed one are compared, to find which stored blocks stay. */
export interface CompareRules {
  /** Whether what is below is not read from the text. */
  readonly isOpaque: (fields: BlockFields) => boolean
  /** Whether its tag names it: it is the same wherever it stands, whatever else it says. */
  readonly isNamed: boolean
  /** Whether, where its tag lost its name, any other of the type is taken for it. */
  readonly isFoundUnnamed: boolean
  /** What no update can change: blocks in which it differs are not the same. */
  readonly shape: (block: MarkdownBlock) => number
}

/** What becomes of a block of the dialect that is new. */
export interface DraftRules {
  /**
   * A block with its children or without, only what is inside (layout of one part is no layout, a copy of nothing is what it shows),
   * or nothing, for a tag that keeps a block which is not there.
   */
  readonly form: (block: MarkdownBlock, resolved: Resolved) => 'block' | 'alone' | 'inside' | 'nothing'
  /** Its content: of more than one block where the text has to be parted. */
  readonly contents: (block: MarkdownBlock, maker: ContentMaker) => NewContent[]
  /** Whether its children are only layout, and go with it where only what is inside stays. */
  readonly isGrid: boolean
  /** Whether it needs to be known what its id names. */
  readonly namesRecord: boolean
}

export interface NewContent {
  readonly type: BlockType
  readonly content: StoredContent
}

/** Makes the content of new blocks. */
export interface ContentMaker {
  readonly resolved: Resolved
  /** Files that stay what they are when a block names them. */
  readonly hosted: HostedFiles
  create(type: BlockType, written: object): NewContent
  update(type: BlockType, stored: StoredContent, written: object): NewContent
  /** @throws ServiceError `validation_error` for a text of too many pieces that cannot be parted */
  whole(text: readonly Inline[], what: string): RichTextItemRequest[]
}
