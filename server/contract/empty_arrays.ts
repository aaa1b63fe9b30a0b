import type { ErrorObject } from 'ajv'
import { RequestLocations } from './locations.ts'

/**
 * Replaces, in place, each empty array where only an object fits: languages with one kind of array send `[]` for an object without keys.
 * @param errors the validator's errors for the value
 * @param prefix the validator's pointer to the value
 * @returns whether any was replaced; if so, the value must be validated again
 */
export function replaceEmptyArrays(errors: readonly ErrorObject[], value: unknown, prefix = ''): boolean {
  const locations = new RequestLocations(value, prefix)
  let isChanged = false
  for (const { keyword, params, instancePath } of errors) {
    if (keyword !== 'type' || !wantsObject(params['type']) || !instancePath.startsWith(`${prefix}/`)) continue
    const steps = locations.below(instancePath).split('/')
    const key = unescaped(steps.pop() ?? '')
    const { value: container } = locations.at(steps.join('/'))
    if (typeof container !== 'object' || container === null || !isEmptyArray(Reflect.get(container, key))) continue
    Reflect.set(container, key, {})
    isChanged = true
  }
  return isChanged
}

/** @param type the types that the contract accepts: one, or a list */
function wantsObject(type: unknown): boolean {
  return type === 'object' || (Array.isArray(type) && type.includes('object'))
}

function isEmptyArray(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~')
}
