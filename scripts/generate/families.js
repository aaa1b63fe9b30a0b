/**
 * Families: schemas and examples that differ in a few words and are declared once (spec/README.md, "Families"). A folder below `families/`
 * has one file for each member, `family.yaml` with what they share, and the unions of their schemas. For editors and for Redocly on the
 * command line this is a plugin (`redocly.yaml`); the project's scripts apply it when they read a file.
 */

import { dirname, resolve } from 'node:path'

/** @typedef {{[key: string]: unknown}} Node a map of a file */
/** @typedef {{[word: string]: string}} Words replacement of each word in braces */
/**
 * A member with its expanded schemas. `ref` is the path of its file from a union, `file` the absolute path.
 * @typedef {{name: string, ref: string, file: string, schemas: Node, entries: Node}} Member
 */
/**
 * Origin of an entry: its keys in the file that lists it, the member's file (empty for that file itself), and its keys there.
 * @typedef {{to: string[], file: string, from: string[]}} Origin
 */

/** The width to which descriptions are rewrapped after words were replaced. */
const WIDTH = 126

/**
 * @param {unknown} value
 * @returns {value is Node}
 */
export function isNode(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The `$ref`s of a list. @type {(list: unknown) => string[]} */
export function refsIn(list) {
  return Array.isArray(list)
    ? list.flatMap((item) => (isNode(item) && typeof item['$ref'] === 'string' ? [item['$ref']] : []))
    : []
}

/** `./rich_text.yaml` -> `rich_text` @type {(path: string) => string} */
export function memberName(path) {
  return path.replace(/^.*\//, '').replace(/\.yaml$/, '')
}

/** The path of a member's file from a union, one folder below the family. @type {(path: string) => string} */
export function refFromUnion(path) {
  return path.replace(/^\.\//, '../')
}

/**
 * The components of a member, the names of each declaration, and its entries for files that list every member.
 * @type {(name: string, file: Node, family: Node) => {schemas: Node, names: Map<string, string>, entries: Node}}
 */
export function expandMember(name, file, { templates, levels }) {
  const own = { type: name, Type: name.replaceAll(/(?:^|_)([a-z0-9])/g, (_all, letter) => letter.toUpperCase()), level: '' }
  /** @type {Node} */
  const schemas = {}
  const names = new Map()
  const { entries, ...components } = file
  for (const [entry, value] of Object.entries(components))
    for (const level of levelsOf(value, levels)) {
      const schema = `${entry}${level['level'] ?? ''}`
      schemas[schema] = completed(value, templates, { ...own, ...level })
      names.set(schema, entry)
    }
  const added = completed(entries, templates, own)
  return { schemas, names, entries: isNode(added) ? added : {} }
}

/** The words of each level of an entry; `x-nesting` gives the number of levels. @type {(entry: unknown, levels: unknown) => Words[]} */
function levelsOf(entry, levels) {
  const count = isNode(entry) ? entry['x-nesting'] : undefined
  return typeof count === 'number' && Array.isArray(levels) ? levels.slice(0, count) : [{}]
}

/**
 * An entry merged with its template. The name of a missing template stays, for `expansionFaults`.
 * @type {(entry: unknown, templates: unknown, words: Words) => unknown}
 */
function completed(entry, templates, words) {
  if (!isNode(entry)) return entry
  const { 'x-nesting': _levels, 'x-template': name, ...rest } = entry
  const own = withReplacedWords(rest, words)
  if (name === undefined || !isNode(own)) return own
  const template = isNode(templates) ? templates[String(name)] : undefined
  if (template === undefined) return { 'x-template': name, ...own }
  const others = { ...(isNode(templates) && templates), [String(name)]: undefined } // no template extends itself
  return merged(completed(template, others, words), own)
}

/**
 * Merges a declaration into its template. The declaration takes precedence. Its additional keys follow the key before them, or come last. A
 * `$ref` replaces a `oneOf`, and vice versa.
 * @type {(template: unknown, own: unknown) => unknown}
 */
function merged(template, own) {
  if (!isNode(template) || !isNode(own)) return own
  const replaced = '$ref' in own ? 'oneOf' : 'oneOf' in own ? '$ref' : undefined
  const keys = Object.keys(template).filter((key) => key !== replaced)
  Object.keys(own).forEach((key, index, ownKeys) => {
    const before = keys.indexOf(ownKeys[index - 1] ?? '')
    if (!keys.includes(key)) keys.splice(before < 0 ? keys.length : before + 1, 0, key)
  })
  return Object.fromEntries(
    keys.map((key) => [key, !(key in own) ? template[key] : key in template ? merged(template[key], own[key]) : own[key]]),
  )
}

/** A value with its words in braces replaced, in keys too. @type {(value: unknown, words: Words) => unknown} */
function withReplacedWords(value, words) {
  if (typeof value === 'string') return withWords(value, words)
  if (Array.isArray(value)) return value.map((item) => withReplacedWords(item, words))
  if (!isNode(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      withWords(key, words),
      key === 'description' && typeof item === 'string' ? filled(item, words) : withReplacedWords(item, words),
    ]),
  )
}

/** @type {(text: string, words: Words) => string} */
function withWords(text, words) {
  return text.replaceAll(/\{(\w+)\}/g, (all, word) => words[word] ?? all)
}

/**
 * A description with its words replaced. Changed paragraphs are rewrapped; table rows are not.
 * @type {(text: string, words: Words) => string}
 */
function filled(text, words) {
  return text.replaceAll(/(?:.+\n?)+/g, (before) => {
    const paragraph = withWords(before, words)
    if (paragraph === before || paragraph.startsWith('|')) return paragraph
    const lines = ['']
    for (const word of paragraph.trim().split(/\s+/)) {
      const line = `${lines.at(-1)} ${word}`.trimStart()
      if (line.length > WIDTH) lines.push(word)
      else lines[lines.length - 1] = line
    }
    return lines.join('\n') + (paragraph.endsWith('\n') ? '\n' : '')
  })
}

/**
 * The entries of a file of unions: `x-each: Filter` among the variants stands for the schema of each member whose name ends in that word.
 * In a description, `{list}` stands for the names of that list's members.
 * @type {(file: Node, members: readonly Member[], family: Node) => Node}
 */
export function expandUnions(file, members, { lists }) {
  const named = Object.entries(Object(lists)).map(([list, names]) => [
    list,
    [names]
      .flat()
      .map((name) => `\`${name}\``)
      .join(', '),
  ])
  const words = Object.fromEntries(named)
  return Object.fromEntries(
    Object.entries(file).map(([name, union]) => {
      const own = withReplacedWords(union, words)
      return [name, isNode(own) ? withVariants(own, members) : own]
    }),
  )
}

/** @type {(union: Node, members: readonly Member[]) => Node} */
function withVariants(union, members) {
  const { oneOf, discriminator } = union
  if (Array.isArray(union['enum'])) return { ...union, enum: union['enum'].flatMap((value) => namesFor(value, members)) }
  if (!Array.isArray(oneOf)) return union
  const property = isNode(discriminator) ? String(discriminator['propertyName']) : ''
  const variants = oneOf.flatMap((item) =>
    isNode(item) && 'x-each' in item ? variantsOf(item, members, property) : [{ item, tag: '' }],
  )
  const mapping = Object.fromEntries(variants.flatMap(({ item, tag }) => (tag === '' ? [] : [[tag, item['$ref']]])))
  const given = isNode(discriminator) && isNode(discriminator['mapping']) ? discriminator['mapping'] : {}
  return {
    ...union,
    oneOf: variants.map(({ item }) => item),
    ...(isNode(discriminator) && { discriminator: { ...discriminator, mapping: { ...given, ...mapping } } }),
  }
}

/**
 * The names of the members that have a form; another value stays as it is.
 * @type {(value: unknown, members: readonly Member[]) => unknown[]}
 */
function namesFor(value, members) {
  return isNode(value) && 'x-each' in value ? variantsOf(value, members, 'type').map(({ tag }) => tag) : [value]
}

/**
 * A variant for each member, its first schema among the named forms, with its tag.
 * @type {(each: Node, members: readonly Member[], property: string) => {item: Node, tag: string}[]}
 */
function variantsOf({ 'x-each': forms, without }, members, property) {
  const endings = [forms].flat().map(String)
  const left = new Set([without ?? []].flat())
  return members
    .filter(({ name }) => !left.has(name))
    .flatMap(({ ref, schemas }) => {
      const found = endings.flatMap((ending) => Object.keys(schemas).filter((name) => name.endsWith(ending)))[0]
      if (found === undefined) return []
      const tag = [found, 'properties', property, 'const'].reduce(
        (/** @type {unknown} */ part, key) => (isNode(part) ? part[key] : undefined),
        schemas,
      )
      return [{ item: { $ref: `${ref}#/${found}` }, tag: typeof tag === 'string' ? tag : '' }]
    })
}

/** The folders of families whose entries a file includes. @type {(text: string) => string[]} */
export function foldersOfEntries(text) {
  return [...new Set([...text.matchAll(/\bfamily: (\.[^\s,}]*)/g)].map(([, folder = '']) => folder))]
}

/**
 * Expands `x-each: {family: ../families/marks, entries: rows}`, a key of a map or of a list item, into the `rows` of each member's
 * `entries`. Without any such entry it stays, for `emptyListings`.
 * @type {(value: unknown, membersOf: (folder: string) => readonly Member[], origins: Origin[], path?: string[]) => unknown}
 */
export function withEntries(value, membersOf, origins, path = []) {
  if (typeof value !== 'object' || value === null) return value
  const isList = Array.isArray(value)
  /** @type {[string, unknown][]} */
  const result = []
  for (const [key, item] of Object.entries(value)) {
    const { family, entries: name } = Object(isList ? Object(item)['x-each'] : key === 'x-each' && item)
    const added = typeof family === 'string' ? membersOf(family).filter(({ entries }) => name in entries) : []
    const at = () => [...path, isList ? String(result.length) : key]
    if (added.length === 0) {
      if (isList && key !== String(result.length)) origins.push({ to: at(), file: '', from: [...path, key] }) // moved by entries before it
      result.push([key, withEntries(item, membersOf, origins, at())])
    }
    for (const { file, entries } of added)
      for (const [own, entry] of Object.entries(Object(entries[name]))) {
        origins.push({ to: isList ? at() : [...path, own], file, from: ['entries', name, own] })
        result.push([own, fromFile(entry, file)])
      }
  }
  return isList ? result.map(([, item]) => item) : Object.fromEntries(result)
}

/**
 * Faults for entries that no member has.
 * @type {(value: unknown, path: readonly string[]) => {path: readonly string[], fault: string}[]}
 */
export function emptyListings(value, path) {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) =>
    key === 'x-each' && isNode(item)
      ? [{ path: [...path, key], fault: `No member of ${item['family']} has entries called ${item['entries']}.` }]
      : emptyListings(item, [...path, key]),
  )
}

/** An entry with absolute references. @type {(entry: unknown, file: string) => unknown} */
function fromFile(entry, file) {
  if (Array.isArray(entry)) return entry.map((item) => fromFile(item, file))
  if (!isNode(entry)) return entry
  return Object.fromEntries(
    Object.entries(entry).map(([key, item]) => {
      if (key !== '$ref' || typeof item !== 'string') return [key, fromFile(item, file)]
      return [key, item.startsWith('#') ? file + item : resolve(dirname(file), item)]
    }),
  )
}

/**
 * Faults of a family's schema that prevent its expansion, each with its path.
 * @type {(schema: unknown, path: readonly string[]) => {path: readonly string[], fault: string}[]}
 */
export function expansionFaults(schema, path) {
  if (Array.isArray(schema)) return schema.flatMap((item, index) => expansionFaults(item, [...path, String(index)]))
  const fault = faultOf(schema, path)
  if (fault !== undefined) return [{ path, fault }]
  return isNode(schema) ? Object.entries(schema).flatMap(([key, item]) => expansionFaults(item, [...path, key])) : []
}

/** Examples may contain braces of their own. @type {(value: unknown, path: readonly string[]) => string | undefined} */
function faultOf(value, path) {
  const key = path.at(-1) ?? ''
  if (key === 'x-template') return `${value} is not a template of family.yaml.`
  if (key === 'x-each' && !isNode(value)) return '`x-each` is for `oneOf` in unions/ of a family.'
  if (key === 'x-nesting') return '`x-nesting` is for the schemas of a member; family.yaml lists the levels.'
  if (typeof value !== 'string' || key === 'pattern') return undefined
  if (value === '{…}') return `The template leaves ${key} to each schema.`
  const [, word] = path[1] === 'examples' ? [] : (/(?<![/`{])\{(\w+)\}/.exec(value) ?? [])
  return word === undefined ? undefined : `family.yaml has no word ${word}.`
}

/** @typedef {{source: {absoluteRef: string}}} Place */
/**
 * The part of a Redocly visitor's context that is used here.
 * @typedef {{location: Place, resolve(ref: {$ref: string}, from?: string): {node?: unknown, location?: Place}}} Context
 */

/** Expands a family in place. @type {(ref: string, context: Context, families: Map<string, Member[]>) => void} */
function expandFamily(ref, context, families) {
  const { node: family, location } = context.resolve({ $ref: ref })
  if (!isNode(family) || location === undefined) return
  const folder = dirname(location.source.absoluteRef)
  const read = (/** @type {string} */ path) => context.resolve({ $ref: path }, location.source.absoluteRef).node
  const members = refsIn(family['members']).flatMap((path) => {
    const file = read(path)
    if (!isNode(file)) return []
    const { schemas, entries } = expandMember(memberName(path), file, family)
    replace(file, schemas)
    return [{ name: memberName(path), ref: refFromUnion(path), file: resolve(folder, path), schemas: file, entries }]
  })
  families.set(folder, members)
  for (const path of refsIn(family['unions'])) {
    const file = read(path)
    if (isNode(file)) replace(file, expandUnions(file, members, family))
  }
}

/** @type {(node: Node, content: Node) => void} */
function replace(node, content) {
  for (const key of Object.keys(node)) delete node[key]
  Object.assign(node, content)
}

export default () => ({
  id: 'families',
  preprocessors: {
    oas3: {
      expanded: () => {
        /** The members of each family, by its folder. @type {Map<string, Member[]>} */
        const families = new Map()
        /** @type {(node: Node, context: Context) => void} */
        const addEntries = (node, { location }) => {
          const folder = dirname(location.source.absoluteRef)
          /** @type {Origin[]} */
          const origins = []
          const added = withEntries(node, (path) => families.get(resolve(folder, path)) ?? [], origins)
          if (origins.length > 0 && isNode(added)) replace(node, added)
        }
        return {
          /** @type {(root: Node, context: Context) => void} */
          Root(root, context) {
            for (const ref of refsIn(root['x-families'])) expandFamily(ref, context, families)
            delete root['x-families']
          },
          Example: addEntries,
          ExamplesMap: addEntries,
          Schema: addEntries,
        }
      },
    },
  },
})
