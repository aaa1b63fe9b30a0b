import type { SchemaOption, SchemaOptionUpdateRequest, StatusConfigUpdateRequest } from '../../../../generated/types.ts'
import { newId } from '../../../kernel/ids.ts'
import { invalid } from '../../shared/index.ts'
import type { SettingsOf } from '../properties/stored.ts'
import { OPTIONS_MAX } from '../properties/value_notes.ts'
import { fillGroups, putInGroup, duplicateOption } from './new_options.ts'

/**
 * Replaces the options of a select column. Options that the list does not contain are removed.
 * @param path of the list in the request
 */
export function replaceOptions(
  before: readonly SchemaOption[],
  requests: readonly SchemaOptionUpdateRequest[],
  path: string,
): readonly SchemaOption[] {
  const options: SchemaOption[] = []
  for (const [index, request] of requests.entries()) {
    const place = `${path}[${index}]`
    const found = findOption(before, request, place)
    if (found) requireUnchanged(found, request, place)
    const option = found ? { ...found, ...descriptionOf(request) } : newOption(request, place)
    if (options.some(({ id, name }) => id === option.id || name === option.name)) throw duplicateOption(`${place}.name`)
    options.push(option)
  }
  return options
}

/** Adds or changes options of a status column and regroups them; other options stay. @param path of the object with `options` */
export function changeStatus(
  before: SettingsOf<'status'>,
  { options: requests, groups: filled }: StatusConfigUpdateRequest,
  path: string,
): SettingsOf<'status'> {
  let { options, groups } = before
  const inOwnGroup = new Set<string>()
  for (const [index, request] of (requests ?? []).entries()) {
    const place = `${path}[${index}]`
    const found = findOption(options, request, place)
    const option = found ? changed(found, request) : newOption(request, place)
    if (options.some(({ id, name }) => id !== option.id && name === option.name)) throw duplicateOption(`${place}.name`)
    options = found ? options.map((one) => (one.id === option.id ? option : one)) : [...options, option]
    const group = request.group || (found ? undefined : groups[0]?.name)
    if (group !== undefined) groups = putInGroup(groups, option.id, group, `${place}.group`)
    if (request.group) inOwnGroup.add(option.id)
  }
  if (options.length > OPTIONS_MAX) {
    throw invalid(`${path}.length`, `should leave the property with at most ${OPTIONS_MAX} options, instead of ${options.length}`)
  }
  return { options, groups: fillGroups(groups, options, filled, inOwnGroup) }
}

/** Finds an option by id if the request has one, otherwise by name. */
function findOption(
  options: readonly SchemaOption[],
  { id, name }: SchemaOptionUpdateRequest,
  path: string,
): SchemaOption | undefined {
  if (!id) return options.find((option) => option.name === name)
  const found = options.find((option) => option.id === id)
  if (!found) throw invalid(path, 'should name an option by an id that the property has')
  return found
}

function requireUnchanged(option: SchemaOption, { name, color }: SchemaOptionUpdateRequest, path: string): void {
  if (name !== undefined && name !== option.name) {
    throw invalid(`${path}.name`, `should be ${JSON.stringify(option.name)}: the name of an existing option cannot be changed`)
  }
  if ((color ?? option.color) !== option.color) {
    throw invalid(
      `${path}.color`,
      `should be \`"${option.color}"\`: the color of option ${JSON.stringify(option.name)} cannot be changed`,
    )
  }
}

function changed(option: SchemaOption, request: SchemaOptionUpdateRequest): SchemaOption {
  const { name = option.name, color = option.color } = request
  return { ...option, name, color: color ?? 'default', ...descriptionOf(request) }
}

function descriptionOf({ description }: SchemaOptionUpdateRequest): Partial<Pick<SchemaOption, 'description'>> {
  return description === undefined ? {} : { description }
}

function newOption({ name, color, description }: SchemaOptionUpdateRequest, path: string): SchemaOption {
  if (name === undefined) throw invalid(path, 'should contain the name of a new option')
  return { id: newId(), name, color: color ?? 'default', description: description ?? null }
}
