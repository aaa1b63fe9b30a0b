/**
 * What the rules share: finding operations, following references, walking schemas. The rules run on the bundle, unresolved:
 * references are followed here, so that each component is looked at once.
 */

/** @typedef {{[key: string]: unknown}} Node a map of the document */
/** @typedef {(string | number)[]} Path where a value stands in the document */
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
 * The map a reference leads to and where it stands; the value itself when it is no reference.
 * @type {(document: unknown, value: unknown, path: Path) => {value: Node, path: Path}}
 */
export function follow(document, value, path) {
  const ref = text(node(value)['$ref'])
  if (!ref.startsWith('#/')) return { value: node(value), path }
  const target = ref
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  /** @type {unknown} */
  let found = document
  for (const part of target) found = node(found)[part]
  return follow(document, found, target)
}

/**
 * Every operation of `paths`.
 * @type {(document: unknown) => PlacedOperation[]}
 */
export function operations(document) {
  return Object.entries(node(node(document)['paths'])).flatMap(([route, item]) =>
    methods.flatMap((method) => {
      const operation = node(item)[method]
      return isNode(operation) ? [{ operation, item: node(item), method, path: ['paths', route, method] }] : []
    }),
  )
}

/** @type {(operation: Node) => string} who calls: `bearer`, `client`, `connection` or `none` */
export const credentialsOf = (operation) => text(operation['x-credentials']) || 'bearer'

/** @type {(placed: PlacedOperation) => boolean} part of the API, not of OAuth: it speaks versions, betas and the API's errors */
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
 * Media types of a request body or response with their place: `[type, media type, place]`.
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

/**
 * Direct subschemas with the keyword they stand under.
 * @type {(schema: Node, path: Path) => (PlacedSchema & {keyword: string})[]}
 */
export function subschemas(schema, path) {
  /** @type {(PlacedSchema & {keyword: string})[]} */
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
 * Calls `visit` for each of the schemas and every schema they lead to, each once. Parts of `allOf` and of conditions are visited
 * with `whole: false`, and so is what stands inside them: they describe a value together with the schema around them.
 * @type {(document: unknown, starts: PlacedSchema[], visit: (schema: Node, path: Path, whole: boolean) => void) => void}
 */
export function walk(document, starts, visit) {
  /** @type {Set<Node>} */
  const seen = new Set()
  /** @type {Set<unknown>} references whose target has been seen */
  const followed = new Set()
  /** @type {(schema: Node, path: Path, whole: boolean) => void} */
  const enter = (schema, path, whole) => {
    const ref = schema['$ref']
    if (typeof ref === 'string') {
      if (followed.has(ref)) return
      followed.add(ref)
    }
    const target = follow(document, schema, path)
    if (seen.has(target.value)) return
    seen.add(target.value)
    visit(target.value, target.path, whole)
    const named = target.value !== schema
    for (const sub of subschemas(target.value, target.path)) {
      enter(sub.schema, sub.path, (whole || named) && !partial.includes(sub.keyword))
    }
  }
  for (const { schema, path } of starts) enter(schema, path, true)
}

/** @type {(document: unknown) => PlacedSchema[]} schemas of the request bodies of the API */
export function requestSchemas(document) {
  return operations(document)
    .filter(isApi)
    .flatMap(({ operation, path }) => bodySchemas(document, operation['requestBody'], [...path, 'requestBody']))
}

/** @type {(document: unknown) => PlacedSchema[]} schemas of all answers and of webhook events */
export function responseSchemas(document) {
  const answers = operations(document).flatMap(({ operation, path }) =>
    Object.entries(node(operation['responses'])).flatMap(([status, response]) =>
      bodySchemas(document, response, [...path, 'responses', status]),
    ),
  )
  const events = Object.entries(node(node(document)['webhooks'])).flatMap(([name, item]) =>
    bodySchemas(document, node(node(item)['post'])['requestBody'], ['webhooks', name, 'post', 'requestBody']),
  )
  return [...answers, ...events]
}

/** @type {(document: unknown, holder: unknown, path: Path) => PlacedSchema[]} */
export function bodySchemas(document, holder, path) {
  return contents(document, holder, path).flatMap(([, media, place]) =>
    isNode(media['schema']) ? [{ schema: media['schema'], path: [...place, 'schema'] }] : [],
  )
}

/**
 * Every schema of the document with its place: components, parameters, headers, bodies.
 * @type {(document: unknown) => PlacedSchema[]}
 */
export function componentSchemas(document) {
  return Object.entries(node(node(node(document)['components'])['schemas'])).map(([name, schema]) => ({
    schema: node(schema),
    path: ['components', 'schemas', name],
  }))
}

/**
 * The property as the schema and the parts of its `allOf` know it, reference followed.
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
 * The variants of nested unions, references followed; the schema itself when it is no union. A null variant is left out.
 * @type {(document: unknown, schema: unknown) => Node[]}
 */
export function variants(document, schema) {
  const { value } = follow(document, schema, [])
  const union = [...list(value['oneOf']), ...list(value['anyOf'])]
  return union.length === 0
    ? [value]
    : union.flatMap((variant) => variants(document, variant)).filter((variant) => variant['type'] !== 'null')
}
