import { visibleAmong } from '../../../store/access.ts'
import { findBlocks } from '../../../store/blocks.ts'
import { findGroupNames } from '../../../store/members.ts'
import { invalid, notFound, type Scope } from '../../shared/index.ts'
import type { ValueNotes } from '../properties/value_notes.ts'
import { knownUsers } from '../../people/index.ts'

/**
 * Checks that the people and pages in values exist, and that the pages belong to the related data source.
 * @throws ServiceError `object_not_found`; `validation_error` for a page of another data source
 */
export async function requireTargets(scope: Scope, { people, linked }: ValueNotes): Promise<void> {
  const { workspaceId } = scope.actor
  const idsOf = (kind: 'user' | 'group'): string[] => people.filter(({ object }) => object === kind).map(({ id }) => id)
  const users = await knownUsers(scope, idsOf('user'))
  const groups = await findGroupNames(scope.db, workspaceId, idsOf('group'))
  for (const { object, id } of people) {
    if (object === 'user' ? !users.has(id) : !groups.has(id)) throw notFound(scope.actor, 'user', id)
  }
  if (linked.length === 0) return
  const ids = [...new Set(linked.map(({ id }) => id))]
  const [visible, blocks] = [await visibleAmong(scope.db, scope.actor, ids), await findBlocks(scope.db, workspaceId, ids)]
  for (const { property, id, path } of linked) {
    const block = blocks.get(id)
    if (!block || !visible.has(id) || block.type === 'data_source') throw notFound(scope.actor, 'page', id)
    if (block.parentType !== 'data_source_id' || block.parentId !== property.dataSourceId) {
      throw invalid(path, 'should be the id of a page of the related data source')
    }
  }
}
