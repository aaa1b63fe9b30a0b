import type { ErrorObject } from 'ajv'

/** Keywords that only repeat what the errors beneath them say. */
const WRAPPERS = new Set(['if', 'oneOf', 'anyOf', 'dependentSchemas'])

export interface PlacedError {
  readonly error: ErrorObject
  /** Where it is, in the validator's words, from the node on that is looked at. */
  readonly pointer: string
}

/** Errors that tell a caller something: those that only repeat or follow from others are left out. One look at each error. */
export function relevantErrors(errors: readonly PlacedError[]): PlacedError[] {
  const facts = errors.filter(({ error }) => !WRAPPERS.has(error.keyword))
  const aboveFacts = pointersAtOrAbove(facts)
  const aboveOthers = pointersAtOrAbove(facts.filter(({ error }) => !isNullType(error)))
  const emptyLists = new Set(facts.filter(({ error }) => isEmptyList(error)).map(({ pointer }) => pointer))
  return errors.filter(({ error, pointer }) => {
    if (WRAPPERS.has(error.keyword)) return !aboveFacts.has(pointer)
    // A list that must be empty: what it holds is not looked at.
    if (emptyLists.size > 0 && !isEmptyList(error) && ancestry(pointer).some((above) => emptyLists.has(above))) return false
    // The null side of a nullable union fails whenever the other side does; it matters only when nothing else was found there.
    return !isNullType(error) || !aboveOthers.has(pointer)
  })
}

/** A list in which nothing may stand. */
export function isEmptyList(error: ErrorObject): boolean {
  return error.keyword === 'maxItems' && error.params['limit'] === 0
}

function isNullType(error: ErrorObject): boolean {
  return error.keyword === 'type' && error.params['type'] === 'null'
}

function pointersAtOrAbove(errors: readonly PlacedError[]): Set<string> {
  const own = new Set(errors.map(({ pointer }) => pointer))
  return new Set([...own].flatMap(ancestry))
}

/** A pointer and every one above it. */
function ancestry(pointer: string): string[] {
  const found = [pointer]
  for (let above = pointer; above !== ''; found.push(above)) above = above.slice(0, above.lastIndexOf('/'))
  return found
}
