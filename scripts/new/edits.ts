/** Adds lines to existing files. Everything else in them stays, including comments. */

import { isMap, isNode, isScalar, isSeq, parseDocument, type Node } from 'yaml'

/**
 * Adds an entry to a block map or list of a YAML file.
 * @param path the keys of the map or list
 * @param entry the lines of the entry, without indentation
 * @param after the key of the map entry to insert it after; by default, it is appended
 */
export function addEntry(text: string, path: readonly string[], entry: string, after?: string): string {
  const collection = parseDocument(text).getIn(path, true)
  const ranges = rangesIn(collection)
  const range = ranges.find(({ key }) => after !== undefined && key === after) ?? ranges.at(-1)
  if (range === undefined) throw new Error(`${path.join('.')} is not a map or list with entries`)
  const indent = ' '.repeat(range.start - (text.lastIndexOf('\n', range.start - 1) + 1))
  const lines = entry.split('\n').map((line) => indent + line)
  const end = text.indexOf('\n', text.slice(0, range.end).trimEnd().length)
  return `${text.slice(0, end + 1)}${lines.join('\n')}\n${text.slice(end + 1)}`
}

interface LineRange {
  readonly key?: string
  readonly start: number
  readonly end: number
}

function rangesIn(collection: unknown): LineRange[] {
  if (isMap(collection))
    return collection.items.map(({ key, value }) => {
      const name = isScalar(key) ? { key: String(key.value) } : {}
      return { ...name, start: startOf(key), end: endOf(isNode(value) ? value : key) }
    })
  // An item of a list starts at its dash.
  if (isSeq(collection)) return collection.items.map((item) => ({ start: startOf(item) - '- '.length, end: endOf(item) }))
  return []
}

const rangeOf = (node: unknown): Node['range'] => (isNode(node) ? node.range : undefined)
const startOf = (node: unknown): number => rangeOf(node)?.[0] ?? 0
const endOf = (node: unknown): number => rangeOf(node)?.[1] ?? 0

/** Inserts lines before the first occurrence of `before`. */
export function addBefore(text: string, before: string, lines: string): string {
  const at = text.indexOf(before)
  if (at < 0) throw new Error(`The file has no ${JSON.stringify(before)}`)
  return text.slice(0, at) + lines + text.slice(at)
}

/** Adds missing names to the import of a module. A missing import is added after those of its kind. */
export function addImport(text: string, module: string, names: readonly string[]): string {
  const pattern = new RegExp(`import \\{([^}]*)\\} from '${module.replaceAll('.', '\\.')}'`)
  const [known, list = ''] = pattern.exec(text) ?? []
  if (known !== undefined) return text.replace(known, importOf(module, [...names, ...list.split(',').map((name) => name.trim())]))
  const kind = module.startsWith('../') ? / from '\.\.\/.*'\n/g : / from '.*'\n/g
  const [last] = [...text.matchAll(kind)].slice(-1)
  const at = last === undefined ? 0 : last.index + last[0].length
  return `${text.slice(0, at)}${importOf(module, names)}\n${text.slice(at)}`
}

function importOf(module: string, names: readonly string[]): string {
  const sorted = [...new Set(names.filter(Boolean))].toSorted(
    (a, b) => Number(a.startsWith('type ')) - Number(b.startsWith('type ')),
  )
  return `import { ${sorted.join(', ')} } from '${module}'`
}
