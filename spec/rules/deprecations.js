import { isNode, operations, text } from './support/contract.js'

const date = /^\d{4}-\d{2}-\d{2}$/

/**
 * Deprecated parts have `x-deprecation` with the date, the replacement and the earliest removal. An operation's replacement is another
 * operation that is not deprecated itself. Other parts do not have that field.
 * @param {unknown} document
 */
export default function deprecations(document) {
  const live = new Set(
    operations(document).flatMap(({ operation }) => (operation['deprecated'] ? [] : [operation['operationId']])),
  )
  /** @type {import('./support/contract.js').Problem[]} */
  const problems = []
  visit(document, [], (value, path) => {
    const fault = faultOf(value, live)
    if (fault !== undefined) problems.push({ message: fault, path })
  })
  return problems
}

/** @type {(value: import('./support/contract.js').Node, live: Set<unknown>) => string | undefined} */
function faultOf(value, live) {
  const deprecation = value['x-deprecation']
  if (value['deprecated'] !== true)
    return deprecation === undefined ? undefined : 'x-deprecation is present without deprecated: true'
  if (!isNode(deprecation)) return 'deprecated: true needs x-deprecation'
  const { since, replacement, removal_not_before: until } = deprecation
  if (!isDate(since)) return 'x-deprecation.since is not a date (YYYY-MM-DD)'
  if (!isDate(until)) return 'x-deprecation.removal_not_before is not a date (YYYY-MM-DD)'
  if (text(until) <= text(since)) return 'x-deprecation.removal_not_before is not after since'
  if (text(replacement) === '') return 'x-deprecation.replacement is missing'
  const unknown = 'operationId' in value && !live.has(replacement)
  return unknown ? `x-deprecation.replacement names ${text(replacement)}, which is not an operation to use` : undefined
}

/** @type {(value: unknown) => boolean} */
const isDate = (value) => date.test(text(value)) && !Number.isNaN(Date.parse(text(value)))

/** Cache of parts without deprecations, in documents that do not change any more. @type {WeakSet<object>} */
const plain = new WeakSet()

/**
 * Calls `call` for each map with a deprecation.
 * @type {(value: unknown, path: import('./support/contract.js').Path, call: (value: import('./support/contract.js').Node, path:
 * import('./support/contract.js').Path) => void) => boolean} whether there was one
 */
function visit(value, path, call) {
  if (typeof value !== 'object' || value === null || plain.has(value)) return false
  const isDeprecated = isNode(value) && (value['deprecated'] === true || value['x-deprecation'] !== undefined)
  if (isDeprecated) call(value, path)
  const inside = Object.entries(value).map(
    ([key, item]) => key !== 'examples' && visit(item, [...path, Array.isArray(value) ? Number(key) : key], call),
  )
  if (isDeprecated || inside.includes(true)) return true
  plain.add(value)
  return false
}
