import type { ViewConfig, ViewConfigRequest, ViewType } from '../../../../generated/types.ts'
import { canonicalJson } from '../../../kernel/canonical_json.ts'
import { invalid } from '../../shared/index.ts'
import { findById } from '../properties/stored.ts'
import {
  aggregation,
  arrows,
  columns,
  cover,
  group,
  property,
  referenceLines,
  required,
  subtasks,
  type ConfigurationMember,
} from './configuration_members.ts'
import { DATE_FIT, PLACE_FIT } from './properties.ts'
import type { CheckedSchema, Members, ViewSchema } from './settings.ts'

type ConfigurationMembers = Readonly<Record<string, ConfigurationMember>>
type MemberOf<Type extends ViewType> = Exclude<keyof Extract<ViewConfig, { type: Type }>, 'type'>
type ChartConfig = Extract<ViewConfig, { type: 'chart' }>
type NullableMember = { [Name in keyof ChartConfig]-?: null extends ChartConfig[Name] ? Name : never }[keyof ChartConfig]

/** The members of each configuration type that refer to properties. Other members are stored as written. */
const MEMBERS: Readonly<Record<ViewType, ConfigurationMembers>> = {
  table: { properties: columns, group_by: group, subtasks },
  board: { group_by: required(group), sub_group_by: group, properties: columns, cover },
  gallery: { properties: columns, cover },
  list: { properties: columns },
  calendar: { date_property_id: required(property(DATE_FIT, 'date_property_name')), properties: columns },
  timeline: {
    date_property_id: required(property(DATE_FIT, 'date_property_name')),
    end_date_property_id: property(DATE_FIT, 'end_date_property_name'),
    properties: columns,
    table_properties: columns,
    arrows_by: arrows,
  },
  map: { map_by: property(PLACE_FIT, 'map_by_property_name'), properties: columns },
  form: {},
  chart: {
    x_axis: group,
    stack_by: group,
    y_axis: aggregation,
    value: aggregation,
    x_axis_property_id: property(),
    y_axis_property_id: property(),
    reference_lines: referenceLines,
  },
  dashboard: {},
} satisfies { [Type in ViewType]: Partial<Record<MemberOf<Type>, ConfigurationMember>> }

/** Chart members that are null in responses if they have no value, instead of being omitted. */
const NULLABLE: Readonly<Record<NullableMember, true>> = {
  x_axis: true,
  y_axis: true,
  stack_by: true,
  y_axis_min: true,
  y_axis_max: true,
  reference_lines: true,
  caption: true,
}

/**
 * Merges the changes of a request into a configuration: omitted members stay, null clears a member, lists are replaced.
 * @param before the stored configuration
 * @throws ServiceError `validation_error` at `body.configuration.…`
 */
export function storeConfiguration(type: ViewType, request: ViewConfigRequest, before: Members, schema: CheckedSchema): Members {
  const path = 'body.configuration'
  if (request.type !== type) {
    const words = type === 'dashboard' ? 'a dashboard has no configuration' : `the type of the view is "${type}"`
    throw invalid(`${path}.type`, `should be the type of the view: ${words}`)
  }
  if (request.type === 'dashboard') return unchangedDashboard(request.rows, before)
  const after: Record<string, unknown> = { ...before }
  const readOnly = new Set(Object.values(MEMBERS[type]).map(({ nameMember }) => nameMember))
  for (const [member, value] of Object.entries(request)) {
    if (member === 'type' || readOnly.has(member)) continue
    const stored: unknown = value === null ? null : (MEMBERS[type][member]?.store(value, `${path}.${member}`, schema) ?? value)
    if (stored !== null || Object.hasOwn(NULLABLE, member)) after[member] = stored
    else Reflect.deleteProperty(after, member)
  }
  return after
}

function unchangedDashboard(rows: unknown, before: Members): Members {
  if (rows !== undefined && rows !== null && canonicalJson(rows) !== canonicalJson(before['rows']))
    throw invalid(
      'body.configuration.rows',
      'should equal the current value: rows change only when widgets are added and deleted',
    )
  return before
}

/** A configuration in responses; null if a property that it requires no longer exists. */
export function presentConfiguration(type: ViewType, stored: Members, schema: ViewSchema): ViewConfig | null {
  const read: Record<string, unknown> = { type }
  const members = Object.entries(MEMBERS[type])
  if (members.some(([member, { isRequired }]) => isRequired && stored[member] === undefined)) return null
  for (const [member, value] of Object.entries(stored)) {
    const definition = MEMBERS[type][member]
    const shown = definition && value !== null ? definition.read(value, schema) : value
    if (shown === undefined && definition?.isRequired) return null
    if (shown === undefined && !Object.hasOwn(NULLABLE, member)) continue
    read[member] = shown ?? null
    if (definition?.nameMember !== undefined && shown !== undefined) {
      read[definition.nameMember] = findById(schema.properties, String(shown))?.name
    }
  }
  // Charts that show raw values have no groups.
  for (const axis of ['x_axis', 'y_axis']) if (read[`${axis}_property_id`] !== undefined) read[axis] ??= null
  // The compiler cannot see that the members belong to the type. Tests check every response against the contract.
  return read as unknown as ViewConfig
}
