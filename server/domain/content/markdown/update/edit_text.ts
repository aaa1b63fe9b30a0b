import type { UpdatePageMarkdownRequest } from '../../../../../generated/types.ts'
import { yieldToEventLoop } from '../../../../kernel/yield_to_event_loop.ts'
import { invalid, type Scope } from '../../../shared/index.ts'
import { withoutSignatures } from './gather_hosted_files.ts'

/** The result of a command on the text of a page: a changed text, or content to insert at a position. */
export type Edit =
  | { readonly kind: 'text'; readonly text: string; readonly path: string }
  /** `after` is the position of the last character of the selection. */
  | {
      readonly kind: 'insertion'
      readonly text: string
      readonly place: 'start' | 'end' | { readonly after: number }
      readonly path: string
    }

/** The maximum length of a page's text after a change, in characters. */
const TEXT_LENGTH_MAX = 5_000_000
/** The maximum number of characters that all replacements of a request may add: as many as a request may contain. */
const WRITTEN_LENGTH_MAX = 512_000

/**
 * Applies a command to the text of a page. Addresses of hosted files are compared without their signatures.
 * @throws ServiceError `validation_error` if a text is not found or occurs too often; `service_unavailable` if the time limit is exceeded
 */
export async function editText(
  text: string,
  request: UpdatePageMarkdownRequest,
  { baseUrl, requireTime }: Pick<Scope, 'baseUrl' | 'requireTime'>,
): Promise<Edit> {
  const bare = (part: string): string => withoutSignatures(part.replace(/\r\n?/g, '\n'), baseUrl)
  switch (request.type) {
    case 'update_content': {
      const path = 'body.update_content.content_updates'
      let [result, writable] = [text, WRITTEN_LENGTH_MAX]
      for (const [index, update] of request.update_content.content_updates.entries()) {
        requireTime?.()
        const { old_str: wanted, new_str: replacement, replace_all_matches: replacesAll = false } = update
        const fresh = bare(replacement)
        const done = await replaced(result, bare(wanted), { text: fresh, replacesAll, writable }, `${path}[${index}]`)
        result = done.text
        writable -= done.count * fresh.length
      }
      return { kind: 'text', text: result, path }
    }
    case 'replace_content':
      return { kind: 'text', text: bare(request.replace_content.new_str), path: 'body.replace_content.new_str' }
    case 'insert_content': {
      const { content, after, position } = request.insert_content
      const path = 'body.insert_content.content'
      if (after === undefined) return { kind: 'insertion', text: bare(content), place: position?.type ?? 'end', path }
      const [, end] = selection(text, bare(after), 'body.insert_content.after')
      return { kind: 'insertion', text: bare(content), place: { after: end - 1 }, path }
    }
    case 'replace_content_range': {
      const { content, content_range: range } = request.replace_content_range
      const [start, end] = selection(text, bare(range), 'body.replace_content_range.content_range')
      return {
        kind: 'text',
        text: text.slice(0, start) + bare(content) + text.slice(end),
        path: 'body.replace_content_range.content',
      }
    }
  }
}

interface Replacement {
  readonly text: string
  readonly replacesAll: boolean
  /** The maximum number of characters that the replacement may write in all places together. */
  readonly writable: number
}

async function replaced(
  text: string,
  wanted: string,
  { text: replacement, replacesAll, writable }: Replacement,
  path: string,
): Promise<{ readonly text: string; readonly count: number }> {
  const parts: string[] = []
  let [count, length] = [0, 0]
  for (const pieces of cutAt(text, wanted)) {
    count += pieces.length - 1
    length += pieces.reduce((sum, piece) => sum + piece.length, (pieces.length - 1) * replacement.length)
    const isShort = length <= TEXT_LENGTH_MAX && count * replacement.length <= writable
    if (count <= 1 || (replacesAll && isShort)) parts.push(pieces.join(replacement))
    await yieldToEventLoop()
  }
  if (count === 0) throw invalid(`${path}.old_str`, 'should occur in the Markdown of the page, but was not found')
  if (count > 1 && !replacesAll) {
    throw invalid(
      `${path}.old_str`,
      `should occur once in the Markdown of the page, but was found ${count} times; make it longer, or set \`replace_all_matches\``,
    )
  }
  if (length > TEXT_LENGTH_MAX)
    throw invalid(`${path}.new_str`, `should not make the page longer than ${TEXT_LENGTH_MAX} characters`)
  if (count * replacement.length > writable) {
    throw invalid(
      `${path}.new_str`,
      `should not make the replacements of the request write more than ${WRITTEN_LENGTH_MAX} characters in total: the text was found ${count} times`,
    )
  }
  return { text: parts.join(''), count }
}

/** Finds the selected text: a literal text, or `start text...end text`. @returns the positions of its start and its end */
function selection(text: string, selected: string, path: string): [start: number, end: number] {
  const whole = firstPlace(text, selected, 0)
  if (whole !== -1) return [whole, whole + selected.length]
  const dots = selected.indexOf('...')
  const [first, last] = dots === -1 ? [selected, undefined] : [selected.slice(0, dots), selected.slice(dots + 3)]
  const start = last === undefined ? -1 : firstPlace(text, first, 0)
  const end = start === -1 || last === undefined ? -1 : last === '' ? text.length : firstPlace(text, last, start + first.length)
  if (start === -1 || end === -1 || last === undefined)
    throw invalid(path, 'should select text in the Markdown of the page, but was not found')
  return [start, end + (last === '' ? 0 : last.length)]
}

/** Characters searched before yielding to other requests. */
const PORTION_LENGTH = 50_000

/** Splits a text at the non-overlapping occurrences of another, portion by portion. */
function* cutAt(text: string, wanted: string): Generator<readonly string[]> {
  const search = new Search(wanted)
  const length = Math.max(PORTION_LENGTH, wanted.length)
  for (let start = 0; start < text.length;) {
    const portionEnd = start + length
    const pieces = search.cut(text.slice(start, portionEnd + wanted.length - 1))
    const rest = pieces.pop() ?? ''
    const end = Math.min(portionEnd + wanted.length - 1, text.length) - rest.length
    start = Math.min(Math.max(portionEnd, end), text.length)
    yield [...pieces, text.slice(end, start)]
  }
}

function firstPlace(text: string, wanted: string, from: number): number {
  return new Search(wanted).next(text, from)
}

/** Texts up to this length are found by `indexOf`, whose time may be the product of both lengths. */
const SHORT_LENGTH_MAX = 100

/** Finds a text in time linear in both lengths for any input (Knuth–Morris–Pratt). */
class Search {
  readonly #wanted: string
  readonly #borders: Int32Array

  constructor(wanted: string) {
    this.#wanted = wanted
    this.#borders = wanted.length > SHORT_LENGTH_MAX ? bordersOf(wanted) : new Int32Array(0)
  }

  next(text: string, from: number): number {
    const wanted = this.#wanted
    if (wanted.length <= SHORT_LENGTH_MAX) return text.indexOf(wanted, from)
    for (let [position, matched] = [from, 0]; position < text.length; position += 1) {
      const code = text.charCodeAt(position)
      while (matched > 0 && wanted.charCodeAt(matched) !== code) matched = this.#borders[matched - 1] ?? 0
      if (wanted.charCodeAt(matched) === code) matched += 1
      if (matched === wanted.length) return position - matched + 1
    }
    return -1
  }

  /** The parts of a text between non-overlapping matches. */
  cut(text: string): string[] {
    const wanted = this.#wanted
    if (wanted.length <= SHORT_LENGTH_MAX) return text.split(wanted)
    const pieces: string[] = []
    let start = 0
    for (let place = this.next(text, 0); place !== -1; place = this.next(text, start)) {
      pieces.push(text.slice(start, place))
      start = place + wanted.length
    }
    return [...pieces, text.slice(start)]
  }
}

/** The length of the longest border of each prefix: the KMP failure function. */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length)
  for (let position = 1, matched = 0; position < text.length; position += 1) {
    while (matched > 0 && text.charCodeAt(matched) !== text.charCodeAt(position)) matched = borders[matched - 1] ?? 0
    if (text.charCodeAt(matched) === text.charCodeAt(position)) matched += 1
    borders[position] = matched
  }
  return borders
}
