import type { PageObject } from '../../../generated/types.ts'
import { toTimestamp } from '../../kernel/clock.ts'
import { findGroupNames } from '../../store/members.ts'
import { hiddenRelations, type DataSource } from '../data_sources/load.ts'
import { findById, type StoredProperty } from '../properties/stored.ts'
import {
  linksOf,
  readPersonOrGroup,
  valueKinds,
  type StoredPerson,
  type StoredVerification,
  type ValueFacts,
} from '../properties/value_kinds.ts'
import { REFERENCES_MAX } from '../properties/limits.ts'
import { gatherFacts } from '../rich_text/gather.ts'
import type { Scope } from '../scope.ts'
import { computeValues, type Computed } from './computed.ts'
import type { Row } from './row.ts'

/**
 * Property values of rows of one data source, by page: each under the name of its column, in the order of the schema.
 * @param shown ids of the columns to show; undefined shows all
 */
export async function readRows(
  scope: Scope,
  dataSource: DataSource,
  rows: readonly Row[],
  shown: ReadonlySet<string> | undefined,
): Promise<Map<string, PageObject['properties']>> {
  const hidden = await hiddenRelations(scope, dataSource.properties)
  const columns = dataSource.properties.filter(
    ({ id, type }) => !hidden.has(id) && (shown?.has(id) ?? true) && !WITHOUT_VALUE.has(type),
  )
  const facts = await valueFacts(scope, rows, columns)
  const computed = await computeValues(scope, dataSource, rows, columns)
  return new Map(
    rows.map((row) => [
      row.block.id,
      Object.fromEntries(columns.map((column) => [column.name, readValue(row, column, facts, computed)])),
    ]),
  )
}

/** Columns of these types show no value in rows. */
const WITHOUT_VALUE: ReadonlySet<StoredProperty['type']> = new Set(['location', 'last_visited_time'])

/** Everything that values of these rows refer to. */
export async function valueFacts(scope: Scope, rows: readonly Row[], columns: readonly StoredProperty[]): Promise<ValueFacts> {
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
  }
}

type PropertyValue = PageObject['properties'][string]

function readValue(row: Row, column: StoredProperty, facts: ValueFacts, computed: Computed): PropertyValue {
  const { id, type } = column
  const more =
    type === 'relation'
      ? { has_more: linksOf(row.values[id]).ids.length > REFERENCES_MAX || Boolean(linksOf(row.values[id]).more) }
      : {}
  const read = { id, type, [type]: readPayload(row, column, facts, computed), ...more }
  // The tag is computed, which the compiler cannot follow; tests hold every answer against the contract.
  return read as unknown as PropertyValue
}

/** What stands under the key named by the type. */
export function readPayload({ block, values }: Row, column: StoredProperty, facts: ValueFacts, computed: Computed): unknown {
  switch (column.type) {
    case 'title':
      return valueKinds.title?.read(block.content['title'], column, facts)
    case 'created_time':
      return toTimestamp(block.createdTime)
    case 'last_edited_time':
      return toTimestamp(block.lastEditedTime)
    case 'created_by':
      return readPersonOrGroup({ object: 'user', id: block.createdBy }, facts)
    case 'last_edited_by':
      return readPersonOrGroup({ object: 'user', id: block.lastEditedBy }, facts)
    case 'unique_id':
      return { prefix: column.prefix, number: values[column.id] ?? null }
    case 'formula':
    case 'rollup':
      return computed.get(block.id)?.get(column.id)
    case 'button':
      return {}
    default:
      return valueKinds[column.type]?.read(values[column.id], column, facts)
  }
}

/** Columns by id, for callers that know ids only. */
export function columnOf(dataSource: DataSource, id: string): StoredProperty | undefined {
  return findById(dataSource.properties, id)
}
