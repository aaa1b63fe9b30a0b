import { componentSchemas, isNode, list, node, operations, parameters, text } from './support/contract.js'

/** @typedef {import('./support/contract.js').Problem} Problem */
/** @typedef {import('./support/contract.js').Path} Path */

/**
 * Operations, parameters, headers, request bodies, responses, schemas and properties have descriptions. A property that refers to a schema
 * needs none.
 * @param {unknown} document
 */
export default function descriptions(document) {
  return [
    ...operationProblems(document),
    ...headerProblems(document),
    ...componentSchemas(document).flatMap(({ schema, path }) => schemaProblems(document, schema, path)),
  ]
}

/** @type {(document: unknown) => Problem[]} */
function operationProblems(document) {
  const events = Object.entries(node(node(document)['webhooks'])).map(([name, item]) => ({
    operation: node(node(item)['post']),
    path: ['webhooks', name, 'post'],
  }))
  const described = [...operations(document), ...events].flatMap(({ operation, path }) => [
    ...missing(operation, path, 'description'),
    ...(isNode(operation['requestBody']) ? missing(operation['requestBody'], [...path, 'requestBody'], 'description') : []),
  ])
  const parameterProblems = operations(document).flatMap((placed) =>
    parameters(document, placed).flatMap(({ value, path }) => missing(value, path, 'description')),
  )
  return [...described, ...parameterProblems]
}

/** @type {(document: unknown) => Problem[]} */
function headerProblems(document) {
  const { headers, responses } = node(node(document)['components'])
  return [
    ...Object.entries(node(headers)).flatMap(([name, header]) => missing(header, ['components', 'headers', name], 'description')),
    ...Object.entries(node(responses)).flatMap(([name, response]) =>
      missing(response, ['components', 'responses', name], 'description'),
    ),
  ]
}

/** @type {(document: unknown, schema: import('./support/contract.js').Node, path: Path) => Problem[]} */
function schemaProblems(document, schema, path) {
  return [...missing(schema, path, 'description'), ...propertyProblems(document, schema, path)]
}

/** Properties of the schema and of the objects inside it. @type {(document: unknown, schema: unknown, path: Path) => Problem[]} */
function propertyProblems(document, schema, path) {
  const { properties, items, allOf } = node(schema)
  return [
    ...Object.entries(node(properties)).flatMap(([name, property]) => {
      const location = [...path, 'properties', name]
      if (!isNode(property)) return []
      const described = text(property['description']) || '$ref' in property
      return [
        ...(described ? [] : [{ message: `${name} has no description`, path: location }]),
        ...propertyProblems(document, property, location),
      ]
    }),
    ...(isNode(items) ? propertyProblems(document, items, [...path, 'items']) : []),
    ...list(allOf).flatMap((part, index) =>
      isNode(part) && !('if' in part) ? propertyProblems(document, part, [...path, 'allOf', index]) : [],
    ),
  ]
}

/** @type {(holder: unknown, path: Path, key: string) => Problem[]} */
function missing(holder, path, key) {
  return text(node(holder)[key]).trim() === '' ? [{ message: `${path.at(-1)} has no ${key}`, path }] : []
}
