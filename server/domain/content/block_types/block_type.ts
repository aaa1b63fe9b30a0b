import type { BlockType, TextContent, TextContentRequest } from '../../../../generated/types.ts'
import type { StoredContent } from '../../../store/blocks.ts'
import { color, contentOf, richText, type ContentRules } from './content.ts'
import type { MarkdownRules } from './markdown_rules.ts'

/**
 * The definition of a block type. Every type states every member, if only as a constant such as `noChildren` or `formless`. The contract
 * defines the accepted input, the nesting depth of a request, and the children that a new block requires. Requests have been validated
 * against it.
 */
export interface BlockTypeDefinition<Type extends BlockType = BlockType> {
  /** How content is stored and presented, and which records, people and files it refers to. */
  readonly content: ContentRules
  /** Rejects changes that an update may not make. */
  readonly requireChange: ChangeRule
  readonly children: ChildrenRules
  readonly placement: PlacementRules
  /** The kind of record that the block represents; `block` for an ordinary block. */
  readonly record: 'page' | 'database' | 'block'
  /** Whether consecutive blocks of the type are numbered, from the `list_start_index` of the first. */
  readonly isNumbered: boolean
  /** Whether a block without a name of its own is presented with one derived from other rows. */
  readonly takesPlaceholder: (content: StoredContent) => boolean
  readonly markdown: MarkdownRules<Type>
}

interface ContentChange {
  readonly from: StoredContent
  readonly to: StoredContent
  /** The path of the content in the request. */
  readonly path: string
  /** Whether the block has children visible to the caller. */
  hasChildren(): Promise<boolean>
}

/** @throws ServiceError `validation_error` for a change that the type does not allow */
type ChangeRule = (change: ContentChange) => void | Promise<void>

const anyChange: ChangeRule = () => undefined

interface ChildrenRules {
  /** Whether a block with this content accepts children. */
  readonly areTaken: (content: StoredContent) => boolean
  /** The only accepted child type; null for every type that is not part of another. */
  readonly only: BlockType | null
  /** The content of a new block that is created with children. */
  readonly contentAround: (content: StoredContent) => StoredContent
  /** Whether the rows below the block are listed as blocks. */
  readonly areListed: boolean
  /** The id of the block whose children are shown in place of the block's own. */
  readonly original: (content: StoredContent) => string | undefined
}

export const anyChildren: ChildrenRules = {
  areTaken: () => true,
  only: null,
  contentAround: (content) => content,
  areListed: true,
  original: () => undefined,
}

export const noChildren: ChildrenRules = { ...anyChildren, areTaken: () => false }

/** The properties of a parent that determine its valid children; the same for new and stored blocks. */
export interface Parent {
  readonly type: string
  readonly content: StoredContent
}

interface PlacementRules {
  /** The only type of parent that the block may have; null if any parent is valid. */
  readonly partOf: BlockType | null
  /**
   * Checks the content against the parent; null if there is nothing to check, in which case the parent is not read.
   * @throws ServiceError `validation_error`
   */
  readonly requireFit: ((content: StoredContent, parent: Parent | undefined, path: string) => void) | null
  /** Whether `requireFit` accepts any parent for this content, in which case the parent is not read. */
  readonly fitsAnywhere?: (content: StoredContent) => boolean
}

export const anywhere: PlacementRules = { partOf: null, requireFit: null }

/** Defaults for most types: they restrict neither the block's parent nor its changes. */
export const plainBlock = {
  requireChange: anyChange,
  placement: anywhere,
  record: 'block',
  isNumbered: false,
  takesPlaceholder: () => false,
} as const satisfies Partial<BlockTypeDefinition>

/** Defaults for a text with a color that takes any children. */
export const textBlock = {
  ...plainBlock,
  content: contentOf<TextContentRequest, TextContent>({ rich_text: richText, color }),
  children: anyChildren,
} as const satisfies Partial<BlockTypeDefinition>
