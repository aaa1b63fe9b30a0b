import type { ContractDocument, Schema } from './document.ts'
import type { CheckedOperation } from './eov_adapter.ts'
import type { Places } from './places.ts'
import type { Violation } from './violations.ts'

/** How many block elements each list of an operation's body may hold in all, by property: `x-block-elements-max`. */
export type ElementLimits = ReadonlyMap<string, number>

/** Reads the limits of an operation from its request schema. */
export function elementLimits(document: ContractDocument, operation: Pick<CheckedOperation, 'path' | 'method'>): ElementLimits {
  const reference = document.paths[operation.path]?.[operation.method]?.requestBody?.content['application/json']?.schema?.['$ref']
  const schema = typeof reference === 'string' ? document.components.schemas[reference.split('/').at(-1) ?? ''] : undefined
  const properties = Object.entries((schema?.['properties'] ?? {}) as Record<string, Schema>)
  return new Map(
    properties.flatMap(([name, property]) => {
      const limit = property['x-block-elements-max']
      return typeof limit === 'number' ? [[name, limit]] : []
    }),
  )
}

/** Counts what JSON Schema cannot: blocks at all levels of a request, columns and table rows included. */
export function elementViolations(limits: ElementLimits, places: Places): Violation[] {
  const violations: Violation[] = []
  for (const [name, limit] of limits) {
    const list = places.child(places.at('/body'), name)
    const count = countElements(list.value)
    if (count > limit) violations.push({ ...list, expectation: `≤ \`${limit}\` blocks, nested ones included`, value: count })
  }
  return violations
}

function countElements(list: unknown): number {
  if (!Array.isArray(list)) return 0
  return list.reduce<number>((sum, entry) => sum + 1 + childrenBelow(entry), 0)
}

/** Children stand inside the content of an entry: `{toggle: {children: […]}}`. */
function childrenBelow(entry: unknown): number {
  if (typeof entry !== 'object' || entry === null) return 0
  return Object.values(entry).reduce<number>((sum, content) => sum + countElements(memberOf(content, 'children')), 0)
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
}
