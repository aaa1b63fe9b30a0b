import { findGroupNames } from '../../../store/members.ts'
import { REFERENCES_MAX } from '../properties/references_max.ts'
import type { StoredProperty } from '../properties/stored.ts'
import type { ValueFacts } from '../properties/value_facts.ts'
import { facetsOf } from '../property_types/index.ts'
import type { ReferenceVisitor } from '../property_types/property_facets.ts'
import { gatherFacts } from '../../content/index.ts'
import type { Scope } from '../../shared/index.ts'
import type { Row } from './row.ts'

/** Everything that the values of rows refer to. */
export async function valueFacts(
  scope: Scope,
  rows: readonly Row[],
  columns: readonly Pick<StoredProperty, 'id' | 'type'>[],
  referencesMax = REFERENCES_MAX,
): Promise<ValueFacts> {
  const groups = new Set<string>()
  const mentioned: unknown[] = []
  const visitor: ReferenceVisitor = {
    user: (id) => void mentioned.push({ type: 'user', user: { id } }),
    group: (id) => void groups.add(id),
    content: (stored) => void mentioned.push(stored),
  }
  for (const { id, type } of columns) {
    const { references, stored: storedIn } = facetsOf(type).value
    if (references === 'none') continue
    for (const row of rows) {
      const stored = storedIn(row, id)
      if (stored !== undefined) references(stored, visitor)
    }
  }
  const [facts, names] = await Promise.all([
    gatherFacts(scope, mentioned),
    findGroupNames(scope.db, scope.actor.workspaceId, [...groups]),
  ])
  return { facts, groups: names, now: scope.now, referencesMax }
}

/** The payload of a value in responses, for types that are not computed from other values. */
export function presentPayload(row: Row, column: StoredProperty, facts: ValueFacts): unknown {
  const { present, stored } = facetsOf(column.type).value
  return typeof present === 'string' ? undefined : present(stored(row, column.id), column, facts)
}
