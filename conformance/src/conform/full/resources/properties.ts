import { hasOptionValues, propertyEntries } from '@workspace-service/server/contract/copied_records.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'
import type { RecordValues } from '../example_records.ts'
import type { FullRunContext } from '../full_run_context.ts'

/**
 * The recreated data source of the examples that has most of these properties.
 * @param names names or ids
 */
export function dataSourceWith(
  { records, replacements }: FullRunContext,
  names: readonly string[],
  isWanted: (id: string) => boolean = () => true,
): string | undefined {
  const made = records.of('data_source').filter(({ id }) => replacements.has(id) && isWanted(id))
  const counted = made.map(({ id, values }) => {
    const known = knownNames(values)
    return { id, count: names.filter((name) => known.has(name)).length }
  })
  return counted.toSorted((a, b) => b.count - a.count)[0]?.id
}

/** Like `dataSourceWith`, but undefined unless the data source has all of them. */
export function dataSourceWithAll(
  context: FullRunContext,
  names: readonly string[],
  isWanted?: (id: string) => boolean,
): string | undefined {
  const id = dataSourceWith(context, names, isWanted)
  const record = context.records.find('data_source', id)
  return record && names.every((name) => knownNames(record.values).has(name)) ? id : undefined
}

function knownNames(values: RecordValues): ReadonlySet<string> {
  return new Set(propertyEntries(values).flatMap(([name, { id }]) => [name, String(id)]))
}

/** Values of a page in the examples that requests can set and whose references exist. */
export function fittedValues(
  { form, replacements }: FullRunContext,
  properties: RecordValues,
  dataSourceId: string,
): RecordValues {
  const fitted = Object.entries(properties).flatMap(([name, value]) => {
    const wanted = form.of('PropertyValueRequest', withoutOptionIds(value))
    const { value: own, missing } = replacements.fill(wanted, dataSourceId)
    return own === undefined || missing.length > 0 ? [] : [[name, own] as const]
  })
  return Object.fromEntries(fitted)
}

/** Options by their names, which they keep. */
function withoutOptionIds(value: unknown): unknown {
  if (!isObject(value) || !hasOptionValues(value)) return value
  const type = String(value['type'])
  const content = value[type]
  return { type, [type]: Array.isArray(content) ? content.map(nameOnly) : nameOnly(content) }
}

function nameOnly(option: unknown): unknown {
  return isObject(option) ? { name: option['name'] } : option
}
