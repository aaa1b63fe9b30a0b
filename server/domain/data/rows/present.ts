import type { PageObject } from '../../../../generated/types.ts'
import type { DataSource } from '../data_sources/load.ts'
import type { StoredProperty } from '../properties/stored.ts'
import type { ValueFacts } from '../properties/value_facts.ts'
import { facetsOf } from '../property_types/index.ts'
import type { Scope } from '../../shared/index.ts'
import { computeValues, type Computed } from './computed.ts'
import { presentPayload, valueFacts } from './payload.ts'
import type { Row } from './row.ts'

/**
 * Property values of rows of one data source, by page: each under the name of its column, in the order of the schema.
 * @param shown ids of the columns to show; undefined shows all
 */
export async function presentRows(
  scope: Scope,
  dataSource: DataSource,
  rows: readonly Row[],
  shown: ReadonlySet<string> | undefined,
): Promise<Map<string, PageObject['properties']>> {
  const columns = dataSource.properties.filter(
    ({ id, type }) => (shown?.has(id) ?? true) && facetsOf(type).value.present !== 'none',
  )
  const [facts, computed] = await Promise.all([valueFacts(scope, rows, columns), computeValues(scope, dataSource, rows, columns)])
  return new Map(
    rows.map((row) => [
      row.block.id,
      Object.fromEntries(columns.map((column) => [column.name, presentValue(row, column, facts, computed)])),
    ]),
  )
}

type PropertyValue = PageObject['properties'][string]

function presentValue(row: Row, column: StoredProperty, facts: ValueFacts, computed: Computed): PropertyValue {
  const { id, type } = column
  const { extraMembers, stored } = facetsOf(type).value
  const more = extraMembers === 'none' ? {} : extraMembers(stored(row, id))
  const read = { id, type, [type]: presentColumn(row, column, facts, computed), ...more }
  // The compiler cannot see which key is computed. Tests check every response against the contract.
  return read as unknown as PropertyValue
}

function presentColumn(row: Row, column: StoredProperty, facts: ValueFacts, computed: Computed): unknown {
  return facetsOf(column.type).value.present === 'computed'
    ? computed.get(row.block.id)?.get(column.id)
    : presentPayload(row, column, facts)
}
