import type { ErrorObject } from 'ajv'

/** Keywords that only repeat what the errors beneath them say. */
const WRAPPERS = new Set(['if', 'oneOf', 'anyOf', 'dependentSchemas'])

/**
 * Errors that tell a caller something: those that only repeat or follow from others are left out. One look at each error, since a
 * hostile body brings tens of thousands.
 */
export function withoutNoise(errors: readonly ErrorObject[]): ErrorObject[] {
  const facts = errors.filter((error) => !WRAPPERS.has(error.keyword))
  const aboveFacts = pathsAtOrAbove(facts)
  const aboveOthers = pathsAtOrAbove(facts.filter((error) => !isNullType(error)))
  const emptyLists = new Set(facts.filter(isEmptyList).map(({ instancePath }) => instancePath))
  return errors.filter((error) => {
    if (WRAPPERS.has(error.keyword)) return !aboveFacts.has(error.instancePath)
    // A list that must be empty: what stands in it is not looked at.
    if (emptyLists.size > 0 && !isEmptyList(error) && ancestry(error.instancePath).some((path) => emptyLists.has(path)))
      return false
    // The null side of a nullable union fails whenever the other side does; it matters only when nothing else was found there.
    return !isNullType(error) || !aboveOthers.has(error.instancePath)
  })
}

/** A list in which nothing may stand. */
export function isEmptyList(error: ErrorObject): boolean {
  return error.keyword === 'maxItems' && error.params['limit'] === 0
}

function isNullType(error: ErrorObject): boolean {
  return error.keyword === 'type' && error.params['type'] === 'null'
}

function pathsAtOrAbove(errors: readonly ErrorObject[]): Set<string> {
  const own = new Set(errors.map(({ instancePath }) => instancePath))
  return new Set([...own].flatMap(ancestry))
}

/** A path and every one above it. */
function ancestry(path: string): string[] {
  const found = [path]
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) found.push(path.slice(0, end))
  return found
}
