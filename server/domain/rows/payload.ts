import { toTimestamp } from '../../kernel/clock.ts'
import { findGroupNames } from '../../store/members.ts'
import { REFERENCES_MAX } from '../properties/limits.ts'
import type { StoredProperty } from '../properties/stored.ts'
import {
  presentPersonOrGroup,
  valueKinds,
  type StoredPerson,
  type StoredVerification,
  type ValueFacts,
} from '../properties/value_kinds.ts'
import { gatherFacts } from '../rich_text/gather.ts'
import type { Scope } from '../scope.ts'
import type { Row } from './row.ts'

/** Everything that values of these rows refer to. */
export async function valueFacts(
  scope: Scope,
  rows: readonly Row[],
  columns: readonly StoredProperty[],
  referencesMax = REFERENCES_MAX,
): Promise<ValueFacts> {
  const groups = new Set<string>()
  const mentioned: unknown[] = []
  const addUser = (id: string): number => mentioned.push({ type: 'user', user: { id } })
  for (const { block, values } of rows) {
    for (const { id, type } of columns) {
      const stored = values[id]
      if (type === 'created_by') addUser(block.createdBy)
      else if (type === 'last_edited_by') addUser(block.lastEditedBy)
      else if (type === 'title') mentioned.push(block.content['title'])
      else if (stored === undefined) continue
      else if (type === 'rich_text' || type === 'files') mentioned.push(stored)
      else if (type === 'verification') addUser((stored as StoredVerification).verifiedBy)
      else if (type === 'people')
        for (const person of stored as StoredPerson[]) person.object === 'group' ? groups.add(person.id) : addUser(person.id)
    }
  }
  return {
    facts: await gatherFacts(scope, mentioned),
    groups: await findGroupNames(scope.db, scope.actor.workspaceId, [...groups]),
    now: scope.now,
    referencesMax,
  }
}

/** What stands under the key named by the type, for every type that is not computed from others. */
export function presentPayload({ block, values }: Row, column: StoredProperty, facts: ValueFacts): unknown {
  switch (column.type) {
    case 'title':
      return valueKinds.title?.read(block.content['title'], column, facts)
    case 'created_time':
      return toTimestamp(block.createdTime)
    case 'last_edited_time':
      return toTimestamp(block.lastEditedTime)
    case 'created_by':
      return presentPersonOrGroup({ object: 'user', id: block.createdBy }, facts)
    case 'last_edited_by':
      return presentPersonOrGroup({ object: 'user', id: block.lastEditedBy }, facts)
    case 'unique_id':
      return { prefix: column.prefix, number: values[column.id] ?? null }
    case 'button':
      return {}
    default:
      return valueKinds[column.type]?.read(values[column.id], column, facts)
  }
}
