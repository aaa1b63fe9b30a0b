import { findById, type StoredProperty } from '../properties/stored.ts'
import { parsePosition } from '../queries/positions.ts'
import { presentFound, timeLimited, type RowsOfPage } from '../queries/query.ts'
import { queryRows, type RowQuery } from '../queries/query_rows.ts'
import { positionOf, type PageRequest, type Scope } from '../../shared/index.ts'
import { queryOfView } from './find_view_rows.ts'

/** Limits a view to rows with a date in a range of days. */
export interface DateRange {
  readonly propertyId: string
  /** The first and the last day, such as `2026-05-01`. */
  readonly from: string
  readonly to: string
}

/**
 * One page of the current rows of a view, in its order. It has no maximum number of rows, and the result is not stored..
 * @throws ServiceError as `findViewRows`
 */
export async function listViewRows(scope: Scope, id: string, page: PageRequest, dates?: DateRange): Promise<RowsOfPage> {
  const position = positionOf(scope.cursors, page)
  const limited = timeLimited(scope, 'queryDataSource')
  const { source, query } = await queryOfView(limited, id)
  const narrowed = { ...query, quickFilters: [...(query.quickFilters ?? []), ...conditionsOn(source.properties, dates)] }
  return presentFound(
    limited,
    await queryRows(limited, source, narrowed, position && parsePosition(position), page.pageSize),
    undefined,
  )
}

const TYPES_WITH_DATES: ReadonlySet<string> = new Set(['date', 'created_time', 'last_edited_time'])

/**
 * The conditions for a range of dates. A property of another type may contain dates, but cannot have such a condition; in that case, all
 * rows are returned.
 */
function conditionsOn(
  properties: readonly StoredProperty[],
  dates: DateRange | undefined,
): NonNullable<RowQuery['quickFilters']> {
  const property = dates && findById(properties, dates.propertyId)
  if (!dates || !property || !TYPES_WITH_DATES.has(property.type)) return []
  return [
    { property, condition: { [property.type]: { on_or_after: dates.from } } },
    { property, condition: { [property.type]: { on_or_before: dates.to } } },
  ]
}
