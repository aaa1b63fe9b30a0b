import type { Block, ParentType } from '../../store/blocks.ts'
import { titledTypes } from '../../store/titles.ts'
import type { BlockReference, Change } from './change.ts'

/** Where something lies. */
export interface Around {
  readonly parentType: ParentType
  readonly parentId: string
  /** The page around it. */
  readonly pageId: string | null
}

type Placed = Around & Pick<Block, 'id' | 'type'>

export function referenceTo({ id, type }: Pick<Block, 'id' | 'type'>): BlockReference {
  return { id, type: type === 'child_page' ? 'page' : type === 'child_database' ? 'database' : 'block' }
}

/**
 * What it is to the page or data source around them that blocks come, go or change. They lie at one place; of those that lie below
 * each other, only the uppermost counts. It is nothing to anybody what lies at the top of the workspace.
 */
export function contentChange(around: Around, blocks: readonly Pick<Block, 'id' | 'type'>[]): Change[] {
  if (blocks.length === 0) return []
  if (around.parentType === 'data_source_id')
    return [{ type: 'data_source.content_updated', id: around.parentId, rows: blocks.map(({ id }) => id) }]
  return around.pageId === null ? [] : [{ type: 'page.content_updated', id: around.pageId, blocks: blocks.map(referenceTo) }]
}

/** The content of a block is another: of a page that is its title, of a database nothing that is told. */
export function contentUpdate(block: Placed): Change[] {
  if (block.type === 'child_page') return [{ type: 'page.properties_updated', id: block.id, properties: ['title'] }]
  return block.type === 'child_database' ? [] : contentChange(block, [block])
}

/** Something has been made. What its answer shows below it is told with it. */
export function creation(block: Placed): Change[] {
  const kind = titledTypes.get(block.type)
  const own: Change[] = kind === undefined ? [] : [{ type: `${kind}.created`, id: block.id }]
  return [...own, ...contentChange(block, [block])]
}

/** Something has gone to the trash, or come back, with all that is below it: nothing is told of that. */
export function trashing(block: Placed, inTrash: boolean): Change[] {
  const kind = titledTypes.get(block.type)
  const own: Change[] = kind === undefined ? [] : [{ type: `${kind}.${inTrash ? 'deleted' : 'undeleted'}`, id: block.id }]
  return [...own, ...contentChange(block, [block])]
}

/** A page, database or data source has gone elsewhere. */
export function moving(block: Placed, to: Around): Change[] {
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
