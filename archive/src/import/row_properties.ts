import { plainHeading } from './plain_heading.ts'

/** The values of a row that its page repeats between its title and its text, and the text without them. */
export interface RowPage {
  /** Undefined if the page has no heading. */
  readonly title: string | undefined
  readonly values: ReadonlyMap<string, string>
  readonly text: string
}

const HEADING = /^\s*#(?:[ \t]+([^\n]*))?(?:\n|$)/

/**
 * Parses the lines `Status: Done` below the title of an exported row.
 * @param columns the headings of its table
 * @param cells the row's values by heading, if known: lines with other values stay in the text
 */
export function rowPageOf(text: string, columns: ReadonlySet<string>, cells?: ReadonlyMap<string, string>): RowPage {
  const [heading, title] = HEADING.exec(text) ?? []
  const lines = text.slice(heading?.length ?? 0).split('\n')
  const first = lines.findIndex((line) => line.trim() !== '')
  const values = new Map<string, string>()
  const kept: string[] = []
  let index = Math.max(first, 0)
  for (let line = lines[index]; line !== undefined && line.trim() !== ''; line = lines[index]) {
    const name = nameIn(line, columns)
    if (name === undefined) break
    const value = line.slice(name.length + 1).trim()
    values.set(name, value)
    const cell = cells?.get(name)
    const count = cells === undefined ? 1 : linesOf(cell ?? '', lines.slice(index, index + LINES_MAX), name)
    if (count === 0 && value !== '') kept.push(line, '')
    index += Math.max(count, 1)
  }
  const rest = values.size === 0 ? lines : [...kept, ...lines.slice(index)]
  return { title: heading === undefined ? undefined : plainHeading(title ?? ''), values, text: (heading ?? '') + rest.join('\n') }
}

/** The most lines of one value that are compared. */
const LINES_MAX = 1_000

function nameIn(line: string, columns: ReadonlySet<string>): string | undefined {
  for (let colon = line.indexOf(':'); colon !== -1; colon = line.indexOf(':', colon + 1)) {
    const name = line.slice(0, colon)
    if (columns.has(name)) return name
    if (colon > 200) return undefined
  }
  return undefined
}

/** How many lines repeat the value of a cell; 0 if they do not. */
function linesOf(cell: string, lines: readonly string[], name: string): number {
  const wanted = cell.trim().split(/\r?\n/)
  const found = lines.slice(0, wanted.length).map((line, index) => (index === 0 ? line.slice(name.length + 1) : line))
  return wanted.every((line, index) => isSameValue(line, found[index] ?? '')) ? wanted.length : 0
}

/** Whether two texts are the same value: links are relative to different files. */
export function isSameValue(one: string, other: string): boolean {
  return comparable(one) === comparable(other)
}

export function comparable(value: string): string {
  return value
    .split(/([\s(),]+)/)
    .map((word) => (word.includes('/') ? word.slice(word.lastIndexOf('/') + 1) : word))
    .join('')
    .trim()
}
