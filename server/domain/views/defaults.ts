import type { ViewType } from '../../../generated/types.ts'
import { invalid } from '../failures.ts'
import type { PropertyType, StoredProperty } from '../properties/stored.ts'
import { groupTypeOf } from './groups.ts'
import type { Members, ViewSchema } from './settings.ts'

const BOARD_TYPES: readonly PropertyType[] = ['status', 'select', 'people', 'multi_select', 'relation']
const DATE_TYPES: readonly PropertyType[] = ['date', 'created_time']

/**
 * The configuration of a view that comes without one.
 * @throws ServiceError `validation_error` when no property would do
 */
export function defaultConfiguration(type: ViewType, { properties }: ViewSchema): Members {
  switch (type) {
    case 'board':
      return { group_by: groupBy(required(type, BOARD_TYPES, firstOf(properties, BOARD_TYPES))) }
    case 'calendar':
    case 'timeline':
      return { date_property_id: required(type, DATE_TYPES, firstOf(properties, DATE_TYPES)).id }
    case 'chart': {
      const types: readonly PropertyType[] = ['select', 'status']
      const first = properties.find((property) => types.includes(property.type))
      return { chart_type: 'column', x_axis: groupBy(required(type, types, first)), y_axis: { aggregator: 'count' } }
    }
    case 'dashboard':
      return { rows: [] }
    default:
      return {}
  }
}

/** The first property of the first type that there is one of. */
function firstOf(properties: readonly StoredProperty[], types: readonly PropertyType[]): StoredProperty | undefined {
  for (const type of types) {
    const found = properties.find((property) => property.type === type)
    if (found) return found
  }
  return undefined
}

function required(type: ViewType, types: readonly PropertyType[], property: StoredProperty | undefined): StoredProperty {
  if (property) return property
  throw invalid(
    'body.configuration',
    `should be defined: a ${type} without one needs a property of type ${types.slice(0, -1).join(', ')} or ${types.at(-1)}`,
  )
}

function groupBy({ id, type }: StoredProperty): Members {
  const base = { type: groupTypeOf(type), property_id: id, sort: { type: 'manual' } }
  return type === 'status' ? { ...base, group_by: 'option' } : base
}
