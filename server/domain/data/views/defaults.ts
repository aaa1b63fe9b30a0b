import type { ViewType } from '../../../../generated/types.ts'
import { invalid } from '../../shared/index.ts'
import type { PropertyType, StoredProperty } from '../properties/stored.ts'
import { facetsOf, propertyTypeNames } from '../property_types/index.ts'
import type { ViewFacet } from '../property_types/property_facets.ts'
import type { Members, ViewSchema } from './settings.ts'

/** The property types that a new view can use for a part, preferred ones first. */
function typesFor(part: keyof ViewFacet['defaults']): readonly PropertyType[] {
  const placeOf = (type: PropertyType): number => {
    const place = facetsOf(type).view.defaults[part]
    return place === 'never' ? Infinity : place
  }
  return propertyTypeNames.filter((type) => placeOf(type) < Infinity).sort((one, other) => placeOf(one) - placeOf(other))
}

const BOARD_TYPES = typesFor('board')
const DATE_TYPES = typesFor('calendar')
const CHART_TYPES = typesFor('chart')

/**
 * The default configuration of a view.
 * @throws ServiceError `validation_error` if no property is suitable
 */
export function defaultConfiguration(type: ViewType, { properties }: ViewSchema): Members {
  switch (type) {
    case 'board':
      return { group_by: groupBy(required(type, BOARD_TYPES, firstOf(properties, BOARD_TYPES))) }
    case 'calendar':
    case 'timeline':
      return { date_property_id: required(type, DATE_TYPES, firstOf(properties, DATE_TYPES)).id }
    case 'chart': {
      const first = properties.find((property) => CHART_TYPES.includes(property.type))
      return { chart_type: 'column', x_axis: groupBy(required(type, CHART_TYPES, first)), y_axis: { aggregator: 'count' } }
    }
    case 'dashboard':
      return { rows: [] }
    case 'table':
    case 'gallery':
    case 'list':
    case 'map':
    case 'form':
      return {}
  }
}

/** The first property of the first type of which there is one. */
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
  const { group, grouping } = facetsOf(type).view
  return { type: group, property_id: id, sort: { type: 'manual' }, ...grouping }
}
