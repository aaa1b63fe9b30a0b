import { inSlices, yieldToEventLoop, type SlicedWork } from '../kernel/yield_to_event_loop.ts'

/** Lists of at least this many items make a response large: rows, or the values of a rollup. */
const LONG_LIST = 10
const PIECES_FEW = 1_000

/**
 * The JSON text of an object, as `JSON.stringify` makes it. Other requests run between the parts of long lists.
 * @param more an additional member
 */
export async function jsonText(value: object, more?: string): Promise<string> {
  if (!hasLongList(value)) return withMember(JSON.stringify(value), more)
  const pieces = await inSlices(piecesOf(value, more))
  // Joining many pieces is a single step, of up to 30 ms for 40 MB.
  if (pieces.length > PIECES_FEW) await yieldToEventLoop()
  return pieces.join('')
}

function* piecesOf(value: object, more: string | undefined): SlicedWork<string[]> {
  const pieces: string[] = []
  yield* addPieces(value, pieces)
  pieces.push(withMember(pieces.pop() ?? '', more))
  return pieces
}

/** Adds a member to the JSON text of an object. Applied to its last piece, this costs less than copying the whole text. */
function withMember(text: string, more: string | undefined): string {
  return more === undefined ? text : `${text.slice(0, -1)}${text === '{}' ? '' : ','}${more}}`
}

function* addPieces(value: unknown, pieces: string[]): SlicedWork<void> {
  if (typeof value !== 'object' || value === null || 'toJSON' in value || !hasLongList(value)) {
    // A list item that has no JSON text becomes null.
    pieces.push((JSON.stringify(value) as string | undefined) ?? 'null')
    yield
  } else if (Array.isArray(value)) yield* addItems(value, pieces)
  else yield* addMembers(value, pieces)
}

function* addItems(list: readonly unknown[], pieces: string[]): SlicedWork<void> {
  for (let start = 0; start < list.length; start += LONG_LIST) {
    pieces.push(start === 0 ? '[' : ',')
    yield* addSome(list.slice(start, start + LONG_LIST), pieces)
  }
  pieces.push(']')
}

/**
 * Adds some items of a list in one step, which costs less than a step for each; items that contain long lists are added in several steps.
 */
function* addSome(items: readonly unknown[], pieces: string[]): SlicedWork<void> {
  if (!items.some((item) => typeof item === 'object' && item !== null && hasLongList(item))) {
    pieces.push(JSON.stringify(items).slice(1, -1))
    return yield
  }
  for (const [index, item] of items.entries()) {
    if (index > 0) pieces.push(',')
    yield* addPieces(item, pieces)
  }
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

/** Whether a value is, or contains, a long list. Items of lists are examined when they are serialized. */
function hasLongList(value: object): boolean {
  if (Array.isArray(value)) return value.length >= LONG_LIST
  for (const key in value) {
    const member = (value as Readonly<Record<string, unknown>>)[key]
    if (typeof member === 'object' && member !== null && hasLongList(member)) return true
  }
  return false
}
