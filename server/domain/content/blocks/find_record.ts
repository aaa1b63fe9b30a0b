import { findVisibleBlock } from '../../../store/blocks.ts'
import type { Connection } from '../../../store/database.ts'
import type { Actor } from '../../shared/index.ts'
import { definitionOf } from '../block_types/index.ts'

/** A page, database or block, and the actor who sees it. */
export interface FoundRecord {
  readonly actor: Actor
  readonly kind: 'page' | 'database' | 'block'
  readonly id: string
  /** The page that contains it; null at the top of the workspace and directly inside a database. */
  readonly pageId: string | null
}

/**
 * Finds a record that a person sees as one of several actors, one for each workspace. Finding a hidden record takes the same work as a
 * missing one.
 * @returns undefined for both
 */
export async function findRecord(db: Connection, actors: readonly Actor[], id: string): Promise<FoundRecord | undefined> {
  for (const actor of actors) {
    const block = await findVisibleBlock(db, actor, id)
    if (block && block.type !== 'data_source')
      return { actor, kind: definitionOf(block.type).record, id: block.id, pageId: block.pageId }
  }
  return undefined
}
