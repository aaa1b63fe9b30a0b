import type { Block, PageObject, Parent, PartialBlock } from '../../../../generated/types.ts'
import { toTimestamp } from '../../../kernel/clock.ts'
import { idsOf } from '../../../kernel/ids.ts'
import { typesBefore } from '../../../store/block_types.ts'
import { visibleAmong } from '../../../store/access.ts'
import { findBlocks, type Block as StoredBlock } from '../../../store/blocks.ts'
import { asSeen, type Scope } from '../../shared/index.ts'
import type { Facts } from '../rich_text/facts.ts'
import { gatherFacts } from '../rich_text/gather.ts'
import { placeholderNames } from './database_names.ts'
import { partialUser } from '../../people/index.ts'
import { blockTypes, definitionOf, isBlockType, originalOf } from '../block_types/index.ts'

/** Stored blocks as they are visible to the caller: complete with the read-content capability, otherwise only their ids. */
export async function presentBlocks(scope: Scope, blocks: readonly StoredBlock[]): Promise<(Block | PartialBlock)[]> {
  if (!scope.actor.capabilities.has('read_content')) return blocks.map(({ id }) => ({ object: 'block', id }))
  const contents = blocks.map(({ content }) => content)
  const facts = await gatherFacts(scope, contents)
  const present = (others: Omit<BlockFacts, 'facts'>) => (block: StoredBlock) => presentOne(block, { ...others, facts })
  if (!blocks.some(needsOthers)) return (await asSeen(scope, blocks)).map(present(NOTHING))
  const mirrored = blocks.map(originalOf).filter((id) => id !== undefined)
  const [originals, databases, names, starts] = await Promise.all([
    visibleOriginals(scope, mirrored),
    databasesAround(scope, blocks),
    placeholderNames(scope, idsOf(blocks.filter(takesPlaceholder))),
    startsOfRuns(scope, blocks),
  ])
  const seen = await asSeen(scope, [...blocks, ...originals.values()])
  const seenOriginals = new Map(seen.slice(blocks.length).map((original) => [original.id, original]))
  return seen.slice(0, blocks.length).map(present({ mirrored: seenOriginals, databases, names, starts }))
}

/** Whether the presentation of a block depends on other blocks, which is rare. */
function needsOthers(block: StoredBlock): boolean {
  return (
    startIn(block) !== undefined ||
    takesPlaceholder(block) ||
    OF_DATA_SOURCE.has(block.parentType) ||
    originalOf(block) !== undefined
  )
}

function takesPlaceholder({ type, content }: StoredBlock): boolean {
  return definitionOf(type).takesPlaceholder(content)
}

/** The start number that a block sets for its numbered list; undefined for 1. */
function startIn({ type, content }: StoredBlock): number | undefined {
  const start = definitionOf(type).isNumbered ? content['list_start_index'] : undefined
  return typeof start === 'number' && start !== 1 ? start : undefined
}

interface BlockFacts {
  readonly facts: Facts
  readonly mirrored: ReadonlyMap<string, StoredBlock>
  readonly databases: ReadonlyMap<string, string>
  /** Derived names of databases without a title. */
  readonly names: ReadonlyMap<string, string>
  readonly starts: ReadonlyMap<string, number>
}

const NOTHING: Omit<BlockFacts, 'facts'> = { mirrored: new Map(), databases: new Map(), names: new Map(), starts: new Map() }

/** The start numbers of numbered runs that do not start at 1, by the id of their first item. */
async function startsOfRuns(scope: Scope, blocks: readonly StoredBlock[]): Promise<Map<string, number>> {
  const starts = new Map<string, number>()
  const types = new Map(blocks.map(({ id, type }) => [id, type]))
  for (const block of blocks) {
    const start = startIn(block)
    if (start !== undefined) starts.set(block.id, start)
  }
  const before = await typesBefore(scope.db, scope.actor.workspaceId, [...starts.keys()])
  return new Map([...starts].filter(([id]) => before.get(id) !== types.get(id)))
}

export async function presentBlock(scope: Scope, block: StoredBlock): Promise<Block | PartialBlock> {
  const [presented] = await presentBlocks(scope, [block])
  return presented ?? { object: 'block', id: block.id }
}

function presentOne(block: StoredBlock, { facts, mirrored, databases, names, starts }: BlockFacts): Block {
  const type = isBlockType(block.type) ? block.type : 'unsupported'
  const { content, children } = blockTypes[type]
  const original = originalOf(block)
  const source = original === undefined ? undefined : mirrored.get(original)
  const start = starts.get(block.id)
  const presented = {
    object: 'block',
    id: block.id,
    parent: presentParent(block, databases),
    ...presentEdits(block),
    has_children: original === undefined ? block.hasChildren && children.areListed : (source?.hasChildren ?? false),
    in_trash: block.inTrash || ('isBelowTrash' in block && block.isBelowTrash === true),
    type,
    [type]: names.has(block.id)
      ? { title: names.get(block.id) }
      : { ...content.present(block.content, facts), ...(start === undefined ? {} : { list_start_index: start }) },
  }
  // The key is computed, which the compiler cannot follow; tests check every response against the contract.
  return presented as unknown as Block
}

/** The originals of mirrors, as far as they are outside the trash and visible to the caller. */
export async function visibleOriginals(scope: Scope, ids: readonly string[]): Promise<Map<string, StoredBlock>> {
  if (ids.length === 0) return new Map()
  const [visible, found] = await Promise.all([
    visibleAmong(scope.db, scope.actor, ids),
    findBlocks(scope.db, scope.actor.workspaceId, ids),
  ])
  return new Map([...found].filter(([id, block]) => visible.has(id) && !block.inTrash))
}

/** Who created and last edited a block, and when. */
export function presentEdits(
  block: StoredBlock,
): Pick<PageObject, 'created_time' | 'created_by' | 'last_edited_time' | 'last_edited_by'> {
  return {
    created_time: toTimestamp(block.createdTime),
    created_by: partialUser(block.createdBy),
    last_edited_time: toTimestamp(block.lastEditedTime),
    last_edited_by: partialUser(block.lastEditedBy),
  }
}

/** By data source, the id of its database, for the rows among some blocks. */
export async function databasesAround(scope: Scope, blocks: readonly StoredBlock[]): Promise<Map<string, string>> {
  const ids = blocks.filter(({ parentType }) => OF_DATA_SOURCE.has(parentType)).map(({ parentId }) => parentId)
  const dataSources = await findBlocks(scope.db, scope.actor.workspaceId, [...new Set(ids)])
  return new Map([...dataSources].map(([id, { parentId }]) => [id, parentId]))
}

const OF_DATA_SOURCE: ReadonlySet<string> = new Set(['data_source_id', 'template_of'])

/** The parent of a block. @param databases the ids of the databases of rows, by data source: see `databasesAround` */
export function presentParent(block: StoredBlock, databases: ReadonlyMap<string, string> = new Map()): Parent {
  const { parentType: type, parentId } = block
  if (type === 'workspace') return { type, workspace: true }
  if (type === 'page_id') return { type, page_id: parentId }
  if (type === 'block_id') return { type, block_id: parentId }
  if (type === 'database_id') return { type, database_id: parentId }
  return { type: 'data_source_id', data_source_id: parentId, database_id: databases.get(parentId) ?? '' }
}

/** The page that contains each block, or the workspace if there is none. Unknown ids are omitted. */
export async function parentsAround(scope: Scope, blockIds: readonly string[]): Promise<Map<string, Parent>> {
  const parents = new Map<string, Parent>()
  for (const [id, { pageId }] of await findBlocks(scope.db, scope.actor.workspaceId, [...new Set(blockIds)])) {
    parents.set(id, pageId === null ? { type: 'workspace', workspace: true } : { type: 'page_id', page_id: pageId })
  }
  return parents
}
