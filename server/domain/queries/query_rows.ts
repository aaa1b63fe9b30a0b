/**
 * How rows are found. A request becomes four things, each the input of the next:
 *
 *   request      filter, sorts, quick filters                          query.ts, or a view
 *      ↓ parseFilter: the property type says what its condition means  filter.ts, property_types/
 *   check        "contains x", "at least 3", "one of these ids"        conditions.ts → checks.ts
 *      ↓ indexedCriterion                                              criteria.ts
 *   criterion    the check in its two forms, side by side              criterion.ts
 *      • test    for SQL: passes, fails, or unknown by the index       store/row_tests.ts
 *      • holds   in memory: `holds(check, value of the row)`, for rows that the test leaves unknown; `needs` says what they load
 *      ↓ planOf: which index gives the order, or shows that few rows can pass
 *   segments     ranges of one index, with bounds                      plan.ts → index_scan.ts
 *      ↓ Selection: scans step by step (adaptive_batches.ts), decides the unknown rows (loaded_rows.ts), keeps the first (top_k.ts)
 *   answer       ids in order, and a position to go on from            query_rows.ts → positions.ts → query.ts
 *
 * Formulas and rollups are in no index: their test is `unknown`, and the same checks are held against what they give. Sorts go the
 * same way: a property type names its source (sort_source.ts), which is keys of the index or the row itself (sort_values.ts).
 */
import type { QueryFilter, QuerySorts } from '../../../generated/types.ts'
import { sizeOf } from '../../store/row_tests.ts'
import type { DataSource } from '../data_sources/load.ts'
import type { StoredProperty } from '../properties/stored.ts'
import type { Scope } from '../scope.ts'
import { exceeds } from './count.ts'
import { combined, EVERY_ROW, type Criterion } from './criterion.ts'
import { parseFilter, parsePropertyCondition } from './filter.ts'
import { querySchema } from './schema.ts'
import { QUERY_LIMITS } from './limits.ts'
import { Selection, type ParsedQuery } from './select.ts'
import type { PlacedRow } from './sort_values.ts'
import { parseSorts } from './sorts.ts'

/** Which rows of a data source, in which order. */
export interface RowQuery {
  readonly filter?: QueryFilter | undefined
  readonly sorts?: QuerySorts | undefined
  /** Rows in the trash instead of the others. */
  readonly inTrash?: boolean | undefined
  /** Further conditions, all of which have to hold: of a property by its id or name, each under its key. */
  readonly quickFilters?: readonly { readonly property: StoredProperty; readonly condition: object }[] | undefined
}

/** Where a query goes on. */
export interface QueryPosition {
  /** Rows that have been given so far. */
  readonly given: number
  /** It is known that more rows match than a query gives. */
  readonly isIncomplete: boolean
  readonly after: PlacedRow
}

export interface FoundRows {
  readonly ids: readonly string[]
  /** Undefined at the end. */
  readonly next: QueryPosition | undefined
  /** More rows match than a query gives. */
  readonly isIncomplete: boolean
}

/**
 * The rows of a data source that match, in order. The caller has been let in to the data source.
 * @param from where an earlier call of the same query ended
 * @param limit rows at most
 * @throws ServiceError `validation_error` for a filter or sorts that do not fit the columns, with its place below `body`
 */
export async function queryRows(
  scope: Scope,
  dataSource: DataSource,
  query: RowQuery,
  from: QueryPosition | undefined,
  limit: number,
  limits = QUERY_LIMITS,
): Promise<FoundRows> {
  const read = await parseRowQuery(scope, dataSource, query)
  const selection = new Selection(scope, read, limits)
  const given = from?.given ?? 0
  const wanted = Math.min(limit, limits.rows - given)
  const found = await selection.next(from?.after, wanted + 1)
  const rows = found.slice(0, wanted)
  const isMore = found.length > wanted
  const isEnd = given + wanted >= limits.rows
  const isIncomplete = from?.isIncomplete || (isMore && (isEnd || (!from && (await exceeds(scope, read, limits)))))
  const after = rows.at(-1)
  return {
    ids: rows.map(({ id }) => id),
    next: isMore && !isEnd && after ? { given: given + rows.length, isIncomplete, after } : undefined,
    isIncomplete,
  }
}

/** Reads a query against the columns of its data source. @throws ServiceError `validation_error` */
export async function parseRowQuery(scope: Scope, dataSource: DataSource, query: RowQuery): Promise<ParsedQuery> {
  const { filter, sorts, inTrash, quickFilters } = query
  const schema = await querySchema(scope, dataSource, mentionsComputed(query))
  const criteria: Criterion[] = filter ? [parseFilter(schema, filter, 'body.filter')] : []
  for (const { property, condition } of quickFilters ?? []) {
    const [key = ''] = Object.keys(condition)
    const place = `body.quick_filters.${property.id}.${key}`
    criteria.push(parsePropertyCondition(schema, property, key, Reflect.get(condition, key), place))
  }
  return {
    schema,
    criterion: withinStatement(criteria.length === 0 ? EVERY_ROW : combined('all', criteria)),
    sorts: parseSorts(schema, sorts ?? [], 'body.sorts'),
    inTrash: inTrash ?? false,
  }
}

/** Statements do not grow beyond this: filters of more conditions are decided row by row. */
const TESTS_MAX = 100

function withinStatement(criterion: Criterion): Criterion {
  return sizeOf(criterion.test) > TESTS_MAX ? { ...criterion, test: { kind: 'unknown' } } : criterion
}

/** Whether a query may ask for formulas or rollups: sorts name properties by anything. */
function mentionsComputed({ filter, sorts = [], quickFilters = [] }: RowQuery): boolean {
  return (
    sorts.length > 0 || /"(?:formula|rollup)":/.test(JSON.stringify([filter, quickFilters.map(({ condition }) => condition)]))
  )
}
