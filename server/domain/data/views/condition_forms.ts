import type { SchemaOption } from '../../../../generated/types.ts'
import { ServiceError } from '../../../kernel/errors.ts'
import { oneSpelling } from '../../../kernel/ids.ts'
import { hasOptions, type StoredProperty } from '../properties/stored.ts'
import { facetsOf, isPropertyType } from '../property_types/index.ts'
import { findWrittenOption } from '../queries/conditions.ts'
import { fitsKey, parsePropertyCondition } from '../queries/filter.ts'
import type { CheckedSchema, Members } from './settings.ts'

/**
 * The stored form of a condition, with canonical ids and options by id.
 * @param condition one condition key with its condition
 * @param path of the condition in the request
 * @throws ServiceError `validation_error` if the condition does not fit the property
 */
export function storeCondition(property: StoredProperty, condition: Members, path: string, { query }: CheckedSchema): Members {
  const [key = ''] = Object.keys(condition)
  parsePropertyCondition(query, property, key, condition[key], `${path}.${key}`)
  const stored = withCanonicalIds(key, condition[key])
  return { [key]: mapOptions(property, stored, (option, options) => findWrittenOption(options, option)?.id) ?? stored }
}

/** A stored condition in responses; undefined if it no longer fits the property or its options no longer exist. */
export function presentCondition(property: StoredProperty, condition: Members): Members | undefined {
  const [key = ''] = Object.keys(condition)
  if (!fitsKey(property.type, key)) return undefined
  const read = mapOptions(property, condition[key], (option, options) => options.find(({ id }) => id === option)?.name)
  return read === undefined ? undefined : { [key]: read }
}

/** Whether a condition can still be evaluated, given the current result types of formulas and rollups. */
export function canRun(property: StoredProperty, condition: Members, { query }: CheckedSchema): boolean {
  const [key = ''] = Object.keys(condition)
  try {
    parsePropertyCondition(query, property, key, condition[key], key)
    return true
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'validation_error') return false
    throw error
  }
}

/** Replaces the options in a condition; undefined if none of them is left. */
function mapOptions(
  property: StoredProperty,
  condition: unknown,
  mapped: (option: string, options: readonly SchemaOption[]) => string | undefined,
): unknown {
  if (!hasOptions(property)) return condition
  const change = (option: string): string | undefined => mapped(option, property.options)
  const [[operator, operand] = ['', undefined]] = Object.entries(condition as Members)
  if (typeof operand === 'string') {
    const changed = change(operand)
    return changed === undefined ? undefined : { [operator]: changed }
  }
  if (!Array.isArray(operand)) return condition
  const changed = (operand as string[]).flatMap((option) => change(option) ?? [])
  return changed.length === 0 ? undefined : { [operator]: changed }
}

/** A condition with canonical ids. Conditions of rollups may be nested. */
function withCanonicalIds(key: string, condition: unknown, ofIds = takesIds(key)): unknown {
  if (typeof condition === 'string') return ofIds ? oneSpelling(condition) : condition
  if (typeof condition !== 'object' || condition === null || Array.isArray(condition)) return condition
  return Object.fromEntries(
    Object.entries(condition).map(([name, value]: [string, unknown]) => [
      name,
      withCanonicalIds(name, value, ofIds || takesIds(name)),
    ]),
  )
}

/** Whether conditions under a key compare ids. */
function takesIds(key: string): boolean {
  const filter = isPropertyType(key) ? facetsOf(key).filter : 'none'
  return filter !== 'none' && filter.operands === 'ids'
}
