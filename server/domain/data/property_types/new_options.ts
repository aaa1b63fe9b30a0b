import type {
  SchemaOption,
  SchemaOptionRequest,
  StatusConfigRequest,
  StatusGroup,
  StatusGroupRequest,
  StatusOptionRequest,
  StatusOptionUpdateRequest,
} from '../../../../generated/types.ts'
import { newId } from '../../../kernel/ids.ts'
import { invalid } from '../../shared/index.ts'
import type { SettingsOf } from '../properties/stored.ts'

/** Options from a request, with new ids. @param path of the options in the request */
export function newOptions(requests: readonly SchemaOptionRequest[], path: string): SchemaOption[] {
  const options: SchemaOption[] = []
  for (const [index, { name, color, description }] of requests.entries()) {
    if (options.some((option) => option.name === name)) throw duplicateOption(`${path}[${index}].name`)
    options.push({ id: newId(), name, color: color ?? 'default', description: description ?? null })
  }
  return options
}

export function duplicateOption(path: string): Error {
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

/** The settings of a new status column, with default options if the request has none. @param path of the object with `options` */
export function newStatus({ options: requests, groups: filled }: StatusConfigRequest, path: string): SettingsOf<'status'> {
  const written = requests?.length ? requests : DEFAULT_OPTIONS
  const options = newOptions(written, path)
  const empty = GROUPS.map((group): StatusGroup => ({ id: newId(), ...group, option_ids: [] }))
  const isNamed = new Set(options.filter((_option, index) => requests?.[index]?.group).map(({ id }) => id))
  const groups = written.reduce(
    (all, { group }, index) => putInGroup(all, options[index]?.id ?? '', group || GROUPS[0].name, `${path}[${index}].group`),
    empty,
  )
  return { options, groups: fillGroups(groups, options, filled, isNamed) }
}

/**
 * Fills groups with the options that a request lists for them, by id or name. Unknown groups and options are ignored.
 * @param inOwnGroup options that name their own group in the request
 */
export function fillGroups(
  groups: readonly StatusGroup[],
  options: readonly SchemaOption[],
  filled: readonly StatusGroupRequest[] | null | undefined,
  inOwnGroup: ReadonlySet<string>,
): readonly StatusGroup[] {
  const byName = new Map([...options.map(({ id, name }) => [name, id] as const), ...options.map(({ id }) => [id, id] as const)])
  let placed = groups
  for (const { name, option_ids: listed } of filled ?? []) {
    if (!groups.some((group) => group.name === name)) continue
    for (const id of (listed ?? []).map((word) => byName.get(word))) {
      if (id !== undefined && !inOwnGroup.has(id)) placed = moveToGroup(placed, id, name)
    }
  }
  return placed
}

/** Moves an option to the end of the named group. */
export function putInGroup(
  groups: readonly StatusGroup[],
  optionId: string,
  name: NonNullable<StatusOptionUpdateRequest['group']>,
  path: string,
): StatusGroup[] {
  if (!groups.some((group) => group.name === name)) throw invalid(path, 'should be the name of a group of the property')
  return moveToGroup(groups, optionId, name)
}

function moveToGroup(groups: readonly StatusGroup[], optionId: string, name: string): StatusGroup[] {
  return groups.map((group) => {
    const others = group.option_ids.filter((id) => id !== optionId)
    return { ...group, option_ids: group.name === name ? [...others, optionId] : others }
  })
}
