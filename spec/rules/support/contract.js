/**
 * Shared by the rules: finds operations, follows references, walks schemas. The rules run on the unresolved bundle, so that each component
 * is checked once.
 */

/** @typedef {{[key: string]: unknown}} Node a map of the document */
/** @typedef {(string | number)[]} Path location of a value in the document */
/** @typedef {{message: string, path: Path}} Problem */
/** @typedef {{operation: Node, item: Node, method: string, path: Path}} PlacedOperation */
/** @typedef {{schema: Node, path: Path}} PlacedSchema */

const methods = ['get', 'post', 'patch', 'delete', 'put']

/**
 * @param {unknown} value
 * @returns {value is Node}
 */
export function isNode(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** @type {(value: unknown) => Node} an empty map for anything else */
export const node = (value) => (isNode(value) ? value : {})

/** @type {(value: unknown) => unknown[]} an empty list for anything else */
export const list = (value) => (Array.isArray(value) ? value : [])

/** @type {(value: unknown) => string} */
export const text = (value) => (typeof value === 'string' ? value : '')

/**
 * Caches the results of a function, because many rules need the same facts of one document, which does not change meanwhile.
 * @template T
 * @param {(document: unknown) => T} find
 * @returns {(document: unknown) => T}
 */
function perDocument(find) {
  /** @type {WeakMap<Node, {found: T}>} */
  const results = new WeakMap()
  return (document) => {
    if (!isNode(document)) return find(document)
    const response = results.get(document) ?? { found: find(document) }
    results.set(document, response)
    return response.found
  }
}

/** Cache of the keys of references. @type {Map<string, string[]>} */
const targets = new Map()

/** @type {(ref: string) => string[]} `#/components/schemas/Block` -> `['components', 'schemas', 'Block']` */
function targetOf(ref) {
  const known =
    targets.get(ref) ??
    ref
      .slice(2)
      .split('/')
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  targets.set(ref, known)
  return known
}

/**
 * The target of a reference with its path; a value that is not a reference is returned as it is.
 * @type {(document: unknown, value: unknown, path: Path) => {value: Node, path: Path}}
 */
export function follow(document, value, path) {
  const ref = text(node(value)['$ref'])
  if (!ref.startsWith('#/')) return { value: node(value), path }
  const target = targetOf(ref)
  /** @type {unknown} */
  let found = document
  for (const part of target) found = node(found)[part]
  return follow(document, found, target)
}

/**
 * Every operation of `paths`.
 * @type {(document: unknown) => PlacedOperation[]}
 */
export const operations = perDocument((document) =>
  Object.entries(node(node(document)['paths'])).flatMap(([route, item]) =>
    methods.flatMap((method) => {
      const operation = node(item)[method]
      return isNode(operation) ? [{ operation, item: node(item), method, path: ['paths', route, method] }] : []
    }),
  ),
)

/** @type {(operation: Node) => string} who calls: `bearer`, `client`, `connection` or `none` */
export const credentialsOf = (operation) => text(operation['x-credentials']) || 'bearer'

/** @type {(placed: PlacedOperation) => boolean} part of the API, not of OAuth: it supports versions, betas and the API's errors */
export const isApi = ({ operation }) => ['bearer', 'connection'].includes(credentialsOf(operation))

/**
 * Parameters of an operation, those of its path item included.
 * @type {(document: unknown, placed: PlacedOperation) => {value: Node, path: Path}[]}
 */
export function parameters(document, { operation, item, path }) {
  const own = list(operation['parameters']).map((value, index) => follow(document, value, [...path, 'parameters', index]))
  const shared = list(item['parameters']).map((value, index) =>
    follow(document, value, [...path.slice(0, -1), 'parameters', index]),
  )
  return [...shared, ...own]
}

/**
 * Media types of a request body or response with their path: `[type, media type, path]`.
 * @type {(document: unknown, holder: unknown, path: Path) => [string, Node, Path][]}
 */
export function contents(document, holder, path) {
  const found = follow(document, holder, path)
  return Object.entries(node(found.value['content'])).map(([type, media]) => [
    type,
    node(media),
    [...found.path, 'content', type],
  ])
}

const single = [
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'items',
  'contains',
  'not',
  'if',
  'then',
  'else',
]
const several = ['allOf', 'oneOf', 'anyOf', 'prefixItems']
const named = ['properties', 'patternProperties', 'dependentSchemas']

/** @typedef {PlacedSchema & {keyword: string}} Subschema */

/** Cache of subschemas; the schemas do not change any more. @type {WeakMap<Node, Subschema[]>} */
const known = new WeakMap()

/**
 * Direct subschemas with their keyword.
 * @type {(schema: Node, path: Path) => Subschema[]} the path of a schema never changes
 */
function subschemas(schema, path) {
  const found = known.get(schema) ?? findSubschemas(schema, path)
  known.set(schema, found)
  return found
}

/** @type {(schema: Node, path: Path) => Subschema[]} */
function findSubschemas(schema, path) {
  /** @type {Subschema[]} */
  const found = []
  /** @type {(keyword: string, value: unknown, ...rest: Path) => void} */
  const add = (keyword, value, ...rest) => {
    if (isNode(value)) found.push({ keyword, schema: value, path: [...path, keyword, ...rest] })
  }
  for (const keyword of single) add(keyword, schema[keyword])
  for (const keyword of several) list(schema[keyword]).forEach((item, index) => add(keyword, item, index))
  for (const keyword of named)
    if (isNode(schema[keyword])) for (const [key, item] of Object.entries(schema[keyword])) add(keyword, item, key)
  return found
}

const partial = ['allOf', 'if', 'then', 'else', 'not', 'dependentSchemas']

/**
 * @typedef {object} Walk
 * @property {[schema: Node, path: Path, whole: boolean][]} visits
 * @property {Set<Node>} seen
 * @property {Set<string>} followed references whose target has been seen
 */

/** Cache of walks, by their starts. @type {WeakMap<PlacedSchema[], Walk>} */
const walks = new WeakMap()
/** Starts that extend other starts. @type {WeakMap<PlacedSchema[], PlacedSchema[]>} */
const beginnings = new WeakMap()

/** @type {(starts: PlacedSchema[], more: PlacedSchema[]) => PlacedSchema[]} starts whose walk continues another one */
function startsAfter(starts, more) {
  const all = [...starts, ...more]
  beginnings.set(all, starts)
  return all
}

/**
 * Calls `visit` once for each of the schemas and every schema that they refer to. Parts of `allOf` and of conditions, and schemas inside
 * them, are visited with `whole: false`: they describe a value together with the enclosing schema.
 * @type {(document: unknown, starts: PlacedSchema[], visit: (schema: Node, path: Path, whole: boolean) => void) => void}
 */
export function walk(document, starts, visit) {
  for (const [schema, path, whole] of walkFrom(document, starts).visits) visit(schema, path, whole)
}

/** @type {(document: unknown, starts: PlacedSchema[]) => Walk} */
function walkFrom(document, starts) {
  const known = walks.get(starts)
  if (known !== undefined) return known
  const beginning = beginnings.get(starts) ?? []
  const before = beginning.length === 0 ? undefined : walkFrom(document, beginning)
  const found = { visits: [...(before?.visits ?? [])], seen: new Set(before?.seen), followed: new Set(before?.followed) }
  for (const { schema, path } of starts.slice(beginning.length)) enter(document, found, schema, path, true)
  walks.set(starts, found)
  return found
}

/** @type {(document: unknown, found: Walk, schema: Node, path: Path, whole: boolean) => void} */
function enter(document, found, schema, path, whole) {
  const ref = schema['$ref']
  if (typeof ref === 'string') {
    if (found.followed.has(ref)) return
    found.followed.add(ref)
  }
  const target = follow(document, schema, path)
  if (found.seen.has(target.value)) return
  found.seen.add(target.value)
  found.visits.push([target.value, target.path, whole])
  const named = target.value !== schema
  for (const sub of subschemas(target.value, target.path))
    enter(document, found, sub.schema, sub.path, (whole || named) && !partial.includes(sub.keyword))
}

/** @type {(document: unknown) => PlacedSchema[]} schemas of the request bodies of the API */
export const requestSchemas = perDocument((document) =>
  operations(document)
    .filter(isApi)
    .flatMap(({ operation, path }) => bodySchemas(document, operation['requestBody'], [...path, 'requestBody'])),
)

/** @type {(document: unknown) => PlacedSchema[]} schemas of all responses and of webhook events */
export const responseSchemas = perDocument((document) => {
  const results = operations(document).flatMap(({ operation, path }) =>
    Object.entries(node(operation['responses'])).flatMap(([status, response]) =>
      bodySchemas(document, response, [...path, 'responses', status]),
    ),
  )
  const events = Object.entries(node(node(document)['webhooks'])).flatMap(([name, item]) =>
    bodySchemas(document, node(node(item)['post'])['requestBody'], ['webhooks', name, 'post', 'requestBody']),
  )
  return [...results, ...events]
})

/** @type {(document: unknown, holder: unknown, path: Path) => PlacedSchema[]} */
export function bodySchemas(document, holder, path) {
  return contents(document, holder, path).flatMap(([, media, location]) =>
    isNode(media['schema']) ? [{ schema: media['schema'], path: [...location, 'schema'] }] : [],
  )
}

/** @type {(document: unknown) => PlacedSchema[]} the components that are schemas */
export const componentSchemas = perDocument((document) =>
  Object.entries(node(node(node(document)['components'])['schemas'])).map(([name, schema]) => ({
    schema: node(schema),
    path: ['components', 'schemas', name],
  })),
)

/** @type {(document: unknown) => PlacedSchema[]} components and the schemas of requests */
export const writtenSchemas = perDocument((document) => startsAfter(componentSchemas(document), requestSchemas(document)))

/** @type {(document: unknown) => PlacedSchema[]} components and the schemas of requests and responses */
export const allSchemas = perDocument((document) => startsAfter(writtenSchemas(document), responseSchemas(document)))

/**
 * The property in the schema or a part of its `allOf`, reference followed.
 * @type {(document: unknown, schema: unknown, name: string) => Node | undefined}
 */
export function property(document, schema, name) {
  const { value } = follow(document, schema, [])
  const own = node(value['properties'])[name]
  if (isNode(own)) return follow(document, own, []).value
  for (const part of list(value['allOf'])) {
    const found = property(document, part, name)
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * Required keys of the schema and the parts of its `allOf`.
 * @type {(document: unknown, schema: unknown) => Set<string>}
 */
export function required(document, schema) {
  const { value } = follow(document, schema, [])
  return new Set([...list(value['required']).map(text), ...list(value['allOf']).flatMap((part) => [...required(document, part)])])
}

/**
 * The variants of nested unions, references followed; a schema that is not a union is returned itself. A null variant is left out.
 * @type {(document: unknown, schema: unknown) => Node[]}
 */
export function variants(document, schema) {
  const { value } = follow(document, schema, [])
  const union = [...list(value['oneOf']), ...list(value['anyOf'])]
  return union.length === 0
    ? [value]
    : union.flatMap((variant) => variants(document, variant)).filter((variant) => variant['type'] !== 'null')
}
