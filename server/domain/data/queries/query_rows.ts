/**
 * How rows are found. A request passes through four stages, each the input of the next:
 *
 *   request      filter, sorts, quick filters                          query.ts, or a view
 *      ↓ parseFilter: the property type parses its conditions          filter.ts, property_types/
 *   check        "contains x", "at least 3", "one of these ids"        conditions.ts → checks.ts
 *      ↓ indexedCriterion                                              criteria.ts
 *   criterion    the check in two forms                                criterion.ts
 *      • test    for SQL: passes, fails, or unknown by the index       store/row_tests.ts
 *      • holds   in memory: `holds(check, value of the row)`, for rows that the test leaves unknown; `needs` lists what to load
 *      ↓ planOf: picks the index with the right order, or one that leaves few candidates
 *   segments     ranges of one index, with bounds                      plan.ts → index_scan.ts
 *      ↓ Selection: scans in batches (batches.ts), decides the unknown rows (loaded_rows.ts), keeps the top k (top_k.ts)
 *   result       ids in order, and a position to continue from         query_rows.ts → positions.ts → query.ts
 *
 * Formulas and rollups are not indexed: their test is `unknown`, and the check is applied to the computed value. Sorts work
 * likewise: a property type names its source (sort_source.ts), which is the index keys or the row itself (sort_values.ts).
 */
import type { QueryFilter, QuerySorts } from '../../../../generated/types.ts'
import { sizeOf } from '../../../store/row_tests.ts'
import type { DataSource } from '../data_sources/load.ts'
import type { StoredProperty } from '../properties/stored.ts'
import type { Scope } from '../../shared/index.ts'
import { combined, EVERY_ROW, type Criterion } from './criterion.ts'
import { parseFilter, parsePropertyCondition } from './filter.ts'
import { querySchema } from './schema.ts'
import { QUERY_LIMITS } from './limits.ts'
import { Selection, type ParsedQuery } from './select.ts'
import type { PlacedRow } from './sort_values.ts'
import { parseSorts } from './sorts.ts'

/** Which rows of a data source to return, in which order. */
export interface RowQuery {
  readonly filter?: QueryFilter | undefined
  readonly sorts?: QuerySorts | undefined
  /** Returns the rows in the trash instead of those outside it. */
  readonly inTrash?: boolean | undefined
  /** Further conditions on properties, each under its condition key. All of them must hold. */
  readonly quickFilters?: readonly { readonly property: StoredProperty; readonly condition: object }[] | undefined
}

/** The position from which a query continues. */
export interface QueryPosition {
  /** The number of rows returned so far. */
  readonly given: number
  readonly after: PlacedRow
}

export interface FoundRows {
  readonly ids: readonly string[]
  /** Undefined at the end. */
  readonly next: QueryPosition | undefined
  /** Whether the query ends here although more rows match. */
  readonly isIncomplete: boolean
}

/**
 * The matching rows of a data source, in order. The caller's access to the data source has been checked.
 * @param from the end of an earlier call of the same query
 * @param limit the maximum number of rows to return
 * @throws ServiceError `validation_error` for a filter or sorts that do not fit the columns, that names its path below `body`
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
  const after = rows.at(-1)
  return {
    ids: rows.map(({ id }) => id),
    next: isMore && !isEnd && after ? { given: given + rows.length, after } : undefined,
    isIncomplete: isMore && isEnd,
  }
}

/** Parses a query on the columns of its data source. @throws ServiceError `validation_error` */
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

/** The maximum number of tests in one SQL statement. Filters with more conditions are evaluated in memory. */
const TESTS_MAX = 100

function withinStatement(criterion: Criterion): Criterion {
  return sizeOf(criterion.test) > TESTS_MAX ? { ...criterion, test: { kind: 'unknown' } } : criterion
}

/** Whether a query may use formulas or rollups. Sorts do not reveal the type of their property, so any sort counts. */
function mentionsComputed({ filter, sorts = [], quickFilters = [] }: RowQuery): boolean {
  return (
    sorts.length > 0 || /"(?:formula|rollup)":/.test(JSON.stringify([filter, quickFilters.map(({ condition }) => condition)]))
  )
}
