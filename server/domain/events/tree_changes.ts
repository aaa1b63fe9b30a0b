import type { Block, ParentType } from '../../store/blocks.ts'
import { titledTypes } from '../../store/titles.ts'
import type { BlockReference, Change } from './change.ts'

/** The position of a block in the tree. */
export interface Location {
  readonly parentType: ParentType
  readonly parentId: string
  /** The page on which the block is. */
  readonly pageId: string | null
}

type LocatedBlock = Location & Pick<Block, 'id' | 'type'>

export function referenceTo({ id, type }: Pick<Block, 'id' | 'type'>): BlockReference {
  return { id, type: type === 'child_page' ? 'page' : type === 'child_database' ? 'database' : 'block' }
}

/**
 * The change of the page or data source in which blocks with the same parent were added, removed or changed. If blocks are nested, pass
 * only the outermost. There is no such change at the top of the workspace.
 */
export function contentChange(location: Location, blocks: readonly Pick<Block, 'id' | 'type'>[]): Change[] {
  if (blocks.length === 0) return []
  if (location.parentType === 'data_source_id')
    return [{ type: 'data_source.content_updated', id: location.parentId, rows: blocks.map(({ id }) => id) }]
  return location.pageId === null ? [] : [{ type: 'page.content_updated', id: location.pageId, blocks: blocks.map(referenceTo) }]
}

/** The changes to record for new content of a block: for a page, a change of its title; for a database, none. */
export function contentUpdate(block: LocatedBlock): Change[] {
  if (block.type === 'child_page') return [{ type: 'page.properties_updated', id: block.id, properties: ['title'] }]
  return block.type === 'child_database' ? [] : contentChange(block, [block])
}

/** The changes to record when a block is created. Its children are part of its creation. */
export function creation(block: LocatedBlock): Change[] {
  const kind = titledTypes.get(block.type)
  const own: Change[] = kind === undefined ? [] : [{ type: `${kind}.created`, id: block.id }]
  return [...own, ...contentChange(block, [block])]
}

/** The changes to record when a block is moved to the trash or restored. Its descendants go with it and have no changes of their own. */
export function trashing(block: LocatedBlock, inTrash: boolean): Change[] {
  const kind = titledTypes.get(block.type)
  const own: Change[] = kind === undefined ? [] : [{ type: `${kind}.${inTrash ? 'deleted' : 'undeleted'}`, id: block.id }]
  return [...own, ...contentChange(block, [block])]
}

/** The changes to record when a page, database or data source moves. */
export function moving(block: LocatedBlock, to: Location): Change[] {
  const kind = titledTypes.get(block.type)
  if (kind === undefined) return []
  const from = { parentType: block.parentType, parentId: block.parentId }
  const { parentType, parentId } = to
  return [
    { type: `${kind}.moved`, id: block.id, from, to: { parentType, parentId } },
    ...contentChange(block, [block]),
    ...contentChange(to, [block]),
  ]
}
