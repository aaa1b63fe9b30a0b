import type { ContractDocument, JsonSchema } from './contract_document.ts'
import type { RequestLocations } from './locations.ts'
import type { CheckedOperation } from './request_validators.ts'
import type { Violation } from './violations.ts'

/** `x-block-elements-max` of an operation's body: by property, how many blocks its list may contain, nested ones included. */
export type ElementLimits = ReadonlyMap<string, number>

export function elementLimits(document: ContractDocument, operation: Pick<CheckedOperation, 'path' | 'method'>): ElementLimits {
  const reference = document.paths[operation.path]?.[operation.method]?.requestBody?.content['application/json']?.schema?.['$ref']
  const schema = typeof reference === 'string' ? document.components.schemas[reference.split('/').at(-1) ?? ''] : undefined
  const properties = Object.entries((schema?.['properties'] ?? {}) as Record<string, JsonSchema>)
  return new Map(
    properties.flatMap(([name, property]) => {
      const limit = property['x-block-elements-max']
      return typeof limit === 'number' ? [[name, limit]] : []
    }),
  )
}

/** Checks limits that JSON Schema cannot express. They count blocks at all levels, columns and table rows included. */
export function elementViolations(limits: ElementLimits, locations: RequestLocations): Violation[] {
  const violations: Violation[] = []
  for (const [name, limit] of limits) {
    const list = locations.child(locations.at('/body'), name)
    const count = countElements(list.value)
    if (count > limit) violations.push({ ...list, expectation: `≤ \`${limit}\` blocks, nested ones included`, value: count })
  }
  return violations
}

function countElements(list: unknown): number {
  if (!Array.isArray(list)) return 0
  return list.reduce<number>((sum, entry) => sum + 1 + childrenBelow(entry), 0)
}

/** Children are inside the content of a block: `{toggle: {children: […]}}`. */
function childrenBelow(entry: unknown): number {
  if (typeof entry !== 'object' || entry === null) return 0
  return Object.values(entry).reduce<number>((sum, content) => sum + countElements(memberOf(content, 'children')), 0)
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
}
