import type {
  ChartAggregationRequest,
  CoverConfigRequest,
  GroupByRequest,
  ReferenceLineRequest,
  SubtasksRequest,
  TimelineArrowsRequest,
  ViewPropertyRequest,
} from '../../../../generated/types.ts'
import { newId } from '../../../kernel/ids.ts'
import { fitsRollup } from '../rollups/roll_up.ts'
import { invalid } from '../../shared/index.ts'
import type { StoredProperty } from '../properties/stored.ts'
import { presentGroup, storeGroup } from './groups.ts'
import { FILES_FIT, findFitting, RELATION_FIT, requireFitting, resultOf, type PropertyFit, type Result } from './properties.ts'
import type { CheckedSchema, Members, ViewSchema } from './settings.ts'

/** A configuration member that refers to properties. */
export interface ConfigurationMember {
  /** @param path of the value in the request */
  store(value: unknown, path: string, schema: CheckedSchema): unknown
  /** @returns undefined if a property that it requires no longer exists */
  read(stored: unknown, schema: ViewSchema): unknown
  /** The member that contains the name of the property in responses. */
  readonly nameMember?: string
  /** Whether a view has no configuration at all without this member. */
  readonly isRequired?: true
}

export function required(member: ConfigurationMember): ConfigurationMember {
  return { ...member, isRequired: true }
}

/**
 * Makes a member whose `store` gets a typed value. Written values have been validated against the contract, and stored ones derive from
 * them.
 */
function member<Written>(
  store: (value: Written, path: string, schema: CheckedSchema) => unknown,
  read: (stored: Members, schema: ViewSchema) => unknown,
): ConfigurationMember {
  return {
    store: (value, path, schema) => store(value as Written, path, schema),
    read: (stored, schema) => read(stored as Members, schema),
  }
}

/** A member that refers to one property, by name or id. */
export function property(fit?: PropertyFit, nameMember?: string): ConfigurationMember {
  return {
    store: (value, path, schema) => requireFitting(schema, String(value), path, fit).id,
    read: (stored, schema) => findFitting(schema, stored, fit)?.id,
    ...(nameMember === undefined ? {} : { nameMember }),
  }
}

export const group: ConfigurationMember = member<GroupByRequest>(storeGroup, presentGroup)

export const columns: ConfigurationMember = {
  store: (value, path, schema) =>
    (value as ViewPropertyRequest[]).map(({ property_name: _asRead, ...column }, index) => ({
      ...column,
      property_id: requireFitting(schema, column.property_id, `${path}[${index}].property_id`).id,
    })),
  read: (stored, schema) =>
    (stored as Members[]).flatMap((column) => {
      const found = findFitting(schema, column['property_id'])
      return found ? [{ ...column, property_name: found.name }] : []
    }),
}

export const cover: ConfigurationMember = member<CoverConfigRequest>(
  (value, path, schema) => {
    const fit = value.type === 'property' ? FILES_FIT : undefined
    return { ...value, ...withId(value, 'property_id', path, schema, fit) }
  },
  (stored, schema) => {
    if (stored['type'] === 'property') return findFitting(schema, stored['property_id'], FILES_FIT) && stored
    return withFound(stored, 'property_id', schema)
  },
)

export const subtasks: ConfigurationMember = member<SubtasksRequest>(
  (value, path, schema) => ({
    ...value,
    ...withId(value, 'property_id', path, schema, RELATION_FIT),
    ...withId(value, 'toggle_column_id', path, schema),
  }),
  (stored, schema) => withFound(withFound(stored, 'property_id', schema, RELATION_FIT), 'toggle_column_id', schema),
)

export const arrows: ConfigurationMember = member<TimelineArrowsRequest>(
  (value, path, schema) =>
    typeof value.property_id === 'string'
      ? { property_id: requireFitting(schema, value.property_id, `${path}.property_id`, RELATION_FIT).id }
      : value,
  (stored, schema) => {
    const id = stored['property_id']
    return typeof id === 'string' ? { property_id: findFitting(schema, id, RELATION_FIT)?.id ?? null } : stored
  },
)

/** Replaces the member that refers to a property, if present, by the id of the property. */
function withId(written: object, member: string, path: string, schema: CheckedSchema, fit?: PropertyFit): Members {
  const key: unknown = Reflect.get(written, member)
  return key === undefined ? {} : { [member]: requireFitting(schema, String(key), `${path}.${member}`, fit).id }
}

/** Drops the member that refers to a property that no longer exists. */
function withFound(stored: Members, member: string, schema: ViewSchema, fit?: PropertyFit): Members {
  if (stored[member] === undefined || findFitting(schema, stored[member], fit)) return stored
  const { [member]: _gone, ...rest } = stored
  return rest
}

export const aggregation: ConfigurationMember = member<ChartAggregationRequest>(
  (value, path, schema) => {
    if (value.property_id === undefined) return value
    const found = requireFitting(schema, value.property_id, `${path}.property_id`)
    if (!canAggregate(value.aggregator, found, resultOf(schema, found))) {
      throw invalid(
        `${path}.property_id`,
        `should be a property that ${value.aggregator} works on, instead was ${JSON.stringify(found.name)} of type ${found.type}`,
      )
    }
    return { ...value, property_id: found.id }
  },
  (stored, schema) => {
    if (stored['aggregator'] === 'count') return withFound(stored, 'property_id', schema)
    return findFitting(schema, stored['property_id']) && stored
  },
)

/** Whether a chart can aggregate a property. The rules are those of rollups; a rollup itself is judged by its result. */
function canAggregate(
  aggregator: ChartAggregationRequest['aggregator'],
  { type }: StoredProperty,
  result: Result | undefined,
): boolean {
  if (type === 'rollup') return fitsRollup(aggregator, result === 'number' || result === 'date' ? result : 'relation')
  return fitsRollup(aggregator, type, result === 'array' ? undefined : result)
}

export const referenceLines: ConfigurationMember = {
  store: (value) => (value as ReferenceLineRequest[]).map((line) => ({ ...line, id: line.id ?? newId() })),
  read: (stored) => stored,
}
