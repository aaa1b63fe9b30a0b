import type { BlockType } from '../../../generated/types.ts'
import type { StoredContent } from '../../store/blocks.ts'
import type { ContentRules } from './content.ts'
import type { MarkdownRules } from './markdown_rules.ts'

/**
 * Everything that the service knows about a block type. A type answers every question, if only with a constant such as `noChildren` or
 * `formless`. What may be sent, how deep blocks are nested in one request, and which children must come with
 * a new block are schemas of the contract, which has checked them before anything here is asked.
 */
export interface BlockTypeDefinition<Type extends BlockType = BlockType> {
  /** How its content is stored and presented, and what it refers to: records, people, files. */
  readonly content: ContentRules
  /** What an update must leave as it is. */
  readonly requireChange: ChangeRule
  readonly children: ChildrenRules
  readonly placement: PlacementRules
  /** The record that it stands for; `block` when it is nothing but a block. */
  readonly record: 'page' | 'database' | 'block'
  /** Whether its neighbours of the same type count up with it, from the `list_start_index` of the first. */
  readonly isNumbered: boolean
  /** Whether it is presented with a name that is made of other rows, for want of its own. */
  readonly takesPlaceholder: (content: StoredContent) => boolean
  readonly markdown: MarkdownRules<Type>
}

/** A change of a stored block. */
interface ContentChange {
  readonly from: StoredContent
  readonly to: StoredContent
  /** Path of the content in the request. */
  readonly path: string
  /** Whether the caller sees children of it. */
  hasChildren(): Promise<boolean>
}

/** @throws ServiceError `validation_error` for a change that the type does not allow */
type ChangeRule = (change: ContentChange) => void | Promise<void>

const anyChange: ChangeRule = () => undefined

interface ChildrenRules {
  /** Whether a block with this content takes children. */
  readonly areTaken: (content: StoredContent) => boolean
  /** The only type that it takes; null: every type that is no part of another. */
  readonly only: BlockType | null
  /** Content of a new block that comes with children. */
  readonly contentAround: (content: StoredContent) => StoredContent
  /** Whether rows below it are blocks that callers list. */
  readonly areListed: boolean
  /** The block whose children it shows in place of its own. */
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

/** The side of a parent that decides what stands below it: the same for a new block and for a stored one. */
export interface Parent {
  readonly type: string
  readonly content: StoredContent
}

interface PlacementRules {
  /** The type that it is a part of, and stands in alone; null: it stands wherever blocks do. */
  readonly partOf: BlockType | null
  /**
   * What must hold between its content and its parent; null where nothing must, so that the parent need not be looked up.
   * @throws ServiceError `validation_error`
   */
  readonly requireFit: ((content: StoredContent, parent: Parent | undefined, path: string) => void) | null
}

export const anywhere: PlacementRules = { partOf: null, requireFit: null }

/** What holds for most types: a block like any other, whose type has no rules about its place or its changes. */
export const plainBlock = {
  requireChange: anyChange,
  placement: anywhere,
  record: 'block',
  isNumbered: false,
  takesPlaceholder: () => false,
} as const satisfies Partial<BlockTypeDefinition>
