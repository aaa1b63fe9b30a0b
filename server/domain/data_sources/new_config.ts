import type {
  NumberConfigRequest,
  PropertyConfigRequest,
  PropertyConfigUpdateRequest,
  SchemaOption,
  SchemaOptionRequest,
  StatusConfigRequest,
  StatusGroup,
  StatusOptionRequest,
  StatusOptionUpdateRequest,
  UniqueIdConfigRequest,
} from '../../../generated/types.ts'
import { newId } from '../../kernel/ids.ts'
import { invalid } from '../failures.ts'
import type { PropertyType, StoredProperty } from '../properties/stored.ts'

/** What the settings of a column are, besides its id, name and description. */
export type Config<P = StoredProperty> = P extends StoredProperty ? Omit<P, 'id' | 'name' | 'description' | 'hidden'> : never

const TYPES: ReadonlySet<string> = new Set<PropertyType>([
  'title',
  'rich_text',
  'url',
  'people',
  'files',
  'email',
  'phone_number',
  'date',
  'checkbox',
  'created_by',
  'created_time',
  'last_edited_by',
  'last_edited_time',
  'number',
  'select',
  'multi_select',
  'status',
  'formula',
  'relation',
  'rollup',
  'unique_id',
  'button',
  'verification',
  'place',
  'location',
  'last_visited_time',
])

function isPropertyType(key: string): key is PropertyType {
  return TYPES.has(key)
}

/** The content key of a written column, and what stands under it; undefined where it has none. */
export function contentOf(
  request: PropertyConfigRequest | PropertyConfigUpdateRequest,
): { readonly type: PropertyType; readonly content: object } | undefined {
  const type = Object.keys(request).find(isPropertyType)
  if (type === undefined) return undefined
  const content: unknown = Reflect.get(request, type)
  return { type, content: typeof content === 'object' && content !== null ? content : {} }
}

/**
 * Settings of a new column, save those that name other columns: relations, rollups and formulas.
 * @param path where the settings stand in the request
 */
export function newConfig(type: Exclude<PropertyType, 'relation' | 'rollup' | 'formula'>, content: object, path: string): Config {
  switch (type) {
    case 'number':
      return { type, format: (content as NumberConfigRequest).format ?? 'number' }
    case 'select':
    case 'multi_select':
      return { type, options: newOptions((content as { options?: SchemaOptionRequest[] }).options ?? [], `${path}.options`) }
    case 'status':
      return newStatus((content as StatusConfigRequest).options, `${path}.options`)
    case 'unique_id':
      return { type, prefix: (content as UniqueIdConfigRequest).prefix?.toUpperCase() ?? null }
    default:
      return { type }
  }
}

function newOptions(requests: readonly SchemaOptionRequest[], path: string): SchemaOption[] {
  const options: SchemaOption[] = []
  for (const [index, { name, color, description }] of requests.entries()) {
    if (options.some((option) => option.name === name)) throw twice(`${path}[${index}].name`)
    options.push({ id: newId(), name, color: color ?? 'default', description: description ?? null })
  }
  return options
}

export function twice(path: string): Error {
  return invalid(path, 'should be a name that no other option of the property has')
}

const GROUPS = [
  { name: 'To-do', color: 'gray' },
  { name: 'In progress', color: 'blue' },
  { name: 'Complete', color: 'green' },
] as const

const DEFAULT_OPTIONS: readonly StatusOptionRequest[] = [
  { name: 'Not started', color: 'default', group: 'To-do' },
  { name: 'In progress', color: 'blue', group: 'In progress' },
  { name: 'Done', color: 'green', group: 'Complete' },
]

/** @param requests undefined for the options that a status column begins with */
export function newStatus(requests: readonly StatusOptionRequest[] | undefined, path: string): Config {
  const written = requests ?? DEFAULT_OPTIONS
  const options = newOptions(written, path)
  const empty = GROUPS.map((group): StatusGroup => ({ id: newId(), ...group, option_ids: [] }))
  const groups = written.reduce(
    (all, { group }, index) => putInGroup(all, options[index]?.id ?? '', group ?? GROUPS[0].name, `${path}[${index}].group`),
    empty,
  )
  return { type: 'status', options, groups }
}

/** Groups with an option in the named one, at its end, and in no other. */
export function putInGroup(
  groups: readonly StatusGroup[],
  optionId: string,
  name: NonNullable<StatusOptionUpdateRequest['group']>,
  path: string,
): StatusGroup[] {
  if (!groups.some((group) => group.name === name)) throw invalid(path, 'should be the name of a group of the property')
  return groups.map((group) => {
    const others = group.option_ids.filter((id) => id !== optionId)
    return { ...group, option_ids: group.name === name ? [...others, optionId] : others }
  })
}
