import { isObject } from '../kernel/is_object.ts'

/**
 * A document whose schemas also enforce `x-sent`: members that this service always sends, but other deployments may omit or write
 * differently.
 */
export function asSent<T extends object>(document: T): T {
  return JSON.parse(JSON.stringify(document), (_key, value: unknown) => {
    if (!isObject(value) || !isObject(value['x-sent'])) return value
    const { required = [], ...rules } = value['x-sent']
    return {
      ...value,
      required: [...listIn(value['required']), ...listIn(required)],
      ...(Object.keys(rules).length > 0 ? { allOf: [...listIn(value['allOf']), rules] } : {}),
    }
  }) as T
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
