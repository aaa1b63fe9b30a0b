import type { MaybePromise } from '../kernel/maybe_promise.ts'
import { inSlices, type SlicedWork } from '../kernel/yield_to_event_loop.ts'

/** Responses are large only if they hold lists of at least this many items: rows, or the values of a rollup. */
const LONG_LIST = 10

/** The JSON text of an object, as `JSON.stringify` makes it. Other requests run between the items of long lists. */
export function jsonText(value: object): MaybePromise<string> {
  return hasLongList(value) ? inSlices(textOfPieces(value)) : JSON.stringify(value)
}

function* textOfPieces(value: object): SlicedWork<string> {
  const pieces: string[] = []
  yield* addPieces(value, pieces)
  return pieces.join('')
}

function* addPieces(value: unknown, pieces: string[]): SlicedWork<void> {
  if (typeof value !== 'object' || value === null || 'toJSON' in value || !hasLongList(value)) {
    // An item of a list that has no JSON text is null.
    pieces.push((JSON.stringify(value) as string | undefined) ?? 'null')
    yield
  } else if (Array.isArray(value)) yield* addItems(value, pieces)
  else yield* addMembers(value, pieces)
}

function* addItems(list: readonly unknown[], pieces: string[]): SlicedWork<void> {
  for (const [index, item] of list.entries()) {
    pieces.push(index === 0 ? '[' : ',')
    yield* addPieces(item, pieces)
  }
  pieces.push(']')
}

function* addMembers(object: object, pieces: string[]): SlicedWork<void> {
  let separator = '{'
  for (const [key, member] of Object.entries(object) as [string, unknown][]) {
    if (member === undefined) continue
    pieces.push(`${separator}${JSON.stringify(key)}:`)
    yield* addPieces(member, pieces)
    separator = ','
  }
  pieces.push(separator === '{' ? '{}' : '}')
}

/** Whether a value is, or holds, a long list. Lists within lists are asked about when the item is serialised. */
function hasLongList(value: object): boolean {
  if (Array.isArray(value)) return value.length >= LONG_LIST
  for (const key in value) {
    const member = (value as Readonly<Record<string, unknown>>)[key]
    if (typeof member === 'object' && member !== null && hasLongList(member)) return true
  }
  return false
}
