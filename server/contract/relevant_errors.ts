import type { ErrorObject } from 'ajv'

/** Keywords whose errors only repeat the errors of their subschemas. */
const WRAPPERS = new Set(['if', 'oneOf', 'anyOf', 'dependentSchemas'])

/** The errors that are useful to a caller, without those that only repeat or follow from others. Takes linear time. */
export function relevantErrors(errors: readonly ErrorObject[]): ErrorObject[] {
  const primary = errors.filter(({ keyword }) => !WRAPPERS.has(keyword))
  const abovePrimary = pointersAtOrAbove(primary)
  const aboveOthers = pointersAtOrAbove(primary.filter((error) => !isNullType(error)))
  const emptyLists = new Set(primary.filter(requiresEmptyList).map(({ instancePath }) => instancePath))
  return errors.filter((error) => {
    const { instancePath: pointer } = error
    if (WRAPPERS.has(error.keyword)) return !abovePrimary.has(pointer)
    // If a list must be empty, errors of its elements are irrelevant.
    if (emptyLists.size > 0 && !requiresEmptyList(error) && ancestry(pointer).some((above) => emptyLists.has(above))) return false
    // For a nullable value, "must be null" is reported beside any other error; it matters only if there is no other.
    return !isNullType(error) || !aboveOthers.has(pointer)
  })
}

/** Whether an error says that a list must be empty. */
export function requiresEmptyList(error: ErrorObject): boolean {
  return error.keyword === 'maxItems' && error.params['limit'] === 0
}

function isNullType(error: ErrorObject): boolean {
  return error.keyword === 'type' && error.params['type'] === 'null'
}

function pointersAtOrAbove(errors: readonly ErrorObject[]): Set<string> {
  const own = new Set(errors.map(({ instancePath }) => instancePath))
  return new Set([...own].flatMap(ancestry))
}

/** A pointer, and the pointers of all values that contain its value. */
function ancestry(pointer: string): string[] {
  const found = [pointer]
  for (let above = pointer; above !== ''; found.push(above)) above = above.slice(0, above.lastIndexOf('/'))
  return found
}
