import type { UpdatePageMarkdownRequest } from '../../../generated/types.ts'
import { invalid } from '../failures.ts'
import { withoutSignatures } from './hosted.ts'

/** What a command makes of the text of a page: another text, or new content at a place of it. */
export type Edit =
  | { readonly kind: 'text'; readonly text: string; readonly path: string }
  /** `behind` is the position of the last character of the selection. */
  | {
      readonly kind: 'insertion'
      readonly content: string
      readonly place: 'start' | 'end' | { readonly behind: number }
      readonly path: string
    }

/** Characters that the text of a page may have after a change. */
const TEXT_LENGTH_MAX = 5_000_000

/**
 * Carries a command out on the text of a page. Addresses of hosted files are compared without their signatures.
 * @throws ServiceError `validation_error` where a text is not found, or too often
 */
export function editOf(text: string, request: UpdatePageMarkdownRequest, baseUrl: string): Edit {
  const bare = (part: string): string => withoutSignatures(part.replace(/\r\n?/g, '\n'), baseUrl)
  switch (request.type) {
    case 'update_content': {
      const path = 'body.update_content.content_updates'
      let result = text
      for (const [index, update] of request.update_content.content_updates.entries()) {
        result = replaced(
          result,
          bare(update.old_str),
          bare(update.new_str),
          update.replace_all_matches ?? false,
          `${path}[${index}]`,
        )
      }
      return { kind: 'text', text: result, path }
    }
    case 'replace_content':
      return { kind: 'text', text: bare(request.replace_content.new_str), path: 'body.replace_content.new_str' }
    case 'insert_content': {
      const { content, after, position } = request.insert_content
      const path = 'body.insert_content.content'
      if (after === undefined) return { kind: 'insertion', content: bare(content), place: position?.type ?? 'end', path }
      const [, end] = selection(text, bare(after), 'body.insert_content.after')
      return { kind: 'insertion', content: bare(content), place: { behind: end - 1 }, path }
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

function replaced(text: string, wanted: string, replacement: string, replacesAll: boolean, path: string): string {
  const places = placesOf(text, wanted)
  if (places.length === 0) throw invalid(`${path}.old_str`, 'should occur in the Markdown of the page, but was not found')
  if (places.length > 1 && !replacesAll) {
    throw invalid(
      `${path}.old_str`,
      `should occur once in the Markdown of the page, but was found ${places.length} times; make it longer, or set \`replace_all_matches\``,
    )
  }
  if (text.length + places.length * (replacement.length - wanted.length) > TEXT_LENGTH_MAX) {
    throw invalid(`${path}.new_str`, `should not make the page longer than ${TEXT_LENGTH_MAX} characters`)
  }
  const parts: string[] = []
  let end = 0
  for (const place of places) {
    parts.push(text.slice(end, place), replacement)
    end = place + wanted.length
  }
  return parts.join('') + text.slice(end)
}

/** `start text...end text`, or one literal text. @returns where it begins and where it ends */
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

/** All places of a text that do not overlap. */
function placesOf(text: string, wanted: string): number[] {
  const places: number[] = []
  const search = new Search(wanted)
  for (let place = search.next(text, 0); place !== -1; place = search.next(text, place + wanted.length)) places.push(place)
  return places
}

function firstPlace(text: string, wanted: string, from: number): number {
  return new Search(wanted).next(text, from)
}

/** Texts up to this long are found by the engine, whose search may take their length times that of the text. */
const SHORT_LENGTH_MAX = 100

/** Finds a text in time that grows with both lengths and no faster (Knuth, Morris, Pratt), whatever they hold. */
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
}

/** For each beginning of a text, how much of its own beginning it ends with. */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length)
  for (let position = 1, matched = 0; position < text.length; position += 1) {
    while (matched > 0 && text.charCodeAt(matched) !== text.charCodeAt(position)) matched = borders[matched - 1] ?? 0
    if (text.charCodeAt(matched) === text.charCodeAt(position)) matched += 1
    borders[position] = matched
  }
  return borders
}
