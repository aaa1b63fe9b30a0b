import type { BlockRequest, BlockRequestLeaf, BlockRequestOneLevel, BlockType } from '../../../../generated/types.ts'
import { idsTogether, newRecordId } from '../../../kernel/ids.ts'
import { inSlices, type SlicedWork } from '../../../kernel/yield_to_event_loop.ts'
import { insertBlocks, type Block, type NewBlock, type ParentType, type StoredContent } from '../../../store/blocks.ts'
import { lastRank } from '../../../store/sibling_ranks.ts'
import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing'
import { invalid } from '../../shared/index.ts'
import type { RecordScope } from '../../events/index.ts'
import type { Parent } from '../block_types/block_type.ts'
import type { WriteNotes } from '../block_types/content.ts'
import { blockTypes, definitionOf, isBlockType } from '../block_types/index.ts'

type AnyBlockRequest = BlockRequest | BlockRequestOneLevel | BlockRequestLeaf

/** A block in a request, parsed and checked but not yet stored. */
export interface Draft {
  /** Set if the id is known before the block is stored. */
  readonly id?: string
  readonly type: BlockType
  readonly content: StoredContent
  readonly children: readonly Draft[]
  /** The path of the block in the request. */
  readonly path: string
}

/**
 * Parses the blocks of a request, including nested ones, and checks every rule that depends only on the request.
 * @param path the path of the array in the request
 * @throws ServiceError `validation_error`
 */
export function draftBlocks(requests: readonly AnyBlockRequest[], path: string, notes: WriteNotes): Draft[] {
  return requests.map((request, index) => draftBlock(request, `${path}[${index}]`, notes))
}

function draftBlock(request: AnyBlockRequest, path: string, notes: WriteNotes): Draft {
  const type = typeOf(request, path)
  const written: unknown = Reflect.get(request, type)
  const contentPath = `${path}.${type}`
  const children = childrenOf(written).map((child, index) => draftBlock(child, `${contentPath}.children[${index}]`, notes))
  const definition = blockTypes[type]
  const content = definition.content.create(written, contentPath, notes)
  const draft = { type, content: children.length > 0 ? definition.children.contentAround(content) : content, children, path }
  if (children.length > 0) requireFit(draft, children, `${contentPath}.children`)
  return draft
}

/** The type key of an entry. The contract ensures that there is exactly one. */
function typeOf(request: object, path: string): BlockType {
  const type = Object.keys(request).find((key): key is BlockType => isBlockType(key))
  if (type === undefined) throw invalid(path, 'should contain the key of a block type')
  return type
}

function childrenOf(written: unknown): AnyBlockRequest[] {
  const children: unknown =
    typeof written === 'object' && written !== null && 'children' in written ? written.children : undefined
  return Array.isArray(children) ? children : []
}

/** Checks that a parent accepts these children. @param path the path of the children in the request */
export function requireFit(parent: Parent, children: readonly Draft[], path: string): void {
  const { areTaken, only } = definitionOf(parent.type).children
  if (!areTaken(parent.content))
    throw invalid(path, `should be not present, because a ${parent.type} like this cannot contain blocks`)
  for (const { type, content, path: childPath } of children) {
    const { partOf, requireFit: requireParent } = blockTypes[type].placement
    if (only === null ? partOf !== null : type !== only) {
      throw invalid(
        childPath,
        `should be ${only === null ? 'another type of block' : `a ${only}`}, because a ${parent.type} cannot contain a ${type}`,
      )
    }
    requireParent?.(content, parent, `${childPath}.${type}`)
  }
}

/** The position of new blocks. */
export interface Place {
  readonly parentType: ParentType
  readonly parentId: string
  readonly pageId: string | null
  /** The ranks of the neighbors, or null. */
  readonly after: string | null
  readonly before: string | null
}

/** The position after everything else below a parent. */
export async function placeAtEnd({ db, actor }: RecordScope, around: Omit<Place, 'after' | 'before'>): Promise<Place> {
  return { ...around, after: await lastRank(db, actor.workspaceId, around.parentId), before: null }
}

/** Stores drafts with everything below them. @returns the first level in order, as stored */
export async function insertDrafts(scope: RecordScope, drafts: readonly Draft[], place: Place): Promise<Block[]> {
  const { rows, written } = await inSlices(rowsOfDrafts(scope, drafts, place))
  await insertBlocks(scope.db, scope.actor.workspaceId, rows)
  return written
}

/** The rows of drafts with everything below them, created in steps, and the first level in order, as it will be stored. */
export function* rowsOfDrafts(
  scope: Pick<RecordScope, 'now' | 'actor'>,
  drafts: readonly Draft[],
  place: Place,
): SlicedWork<{ readonly rows: readonly NewBlock[]; readonly written: Block[] }> {
  const rows: NewBlock[] = []
  const make = idsTogether()
  return { rows, written: yield* collectRows({ scope, newId: () => newRecordId('block', make), rows }, drafts, place) }
}

/** The row of a new block. @param rank may be omitted for a single new block, which is placed between its neighbors */
export function newRow(
  { now, actor }: Pick<RecordScope, 'now' | 'actor'>,
  { parentType, parentId, pageId, after, before }: Place,
  block: Pick<NewBlock, 'id' | 'type' | 'content'>,
  rank = generateKeyBetween(after, before),
): NewBlock {
  return { ...block, parentType, parentId, pageId, rank, createdTime: now, createdBy: actor.userId }
}

export function storedNow(row: NewBlock, hasChildren: boolean): Block {
  return { ...row, inTrash: false, hasChildren, lastEditedTime: row.createdTime, lastEditedBy: row.createdBy }
}

interface Collector {
  readonly scope: Pick<RecordScope, 'now' | 'actor'>
  readonly rows: NewBlock[]
  newId(): string
}

/** Adds the rows of drafts and of everything below them. @returns the blocks of the first level */
function* collectRows(collector: Collector, drafts: readonly Draft[], place: Place): SlicedWork<Block[]> {
  const { scope, rows } = collector
  const ranks = generateNKeysBetween(place.after, place.before, drafts.length)
  const first: Block[] = []
  for (const [index, { id = collector.newId(), type, content, children }] of drafts.entries()) {
    const row = newRow(scope, place, { id, type, content }, ranks[index])
    rows.push(row)
    first.push(storedNow(row, children.length > 0))
    yield
    const below = { parentType: 'block_id', parentId: id, pageId: place.pageId, after: null, before: null } as const
    if (children.length > 0) yield* collectRows(collector, children, below)
  }
  return first
}
