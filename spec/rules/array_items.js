import { componentSchemas, isNode, walk } from './support/contract.js'

/**
 * Arrays declare their items. Without items, clients get a list of anything.
 * @param {unknown} document
 */
export default function arrayItems(document) {
  /** @type {import('./support/contract.js').Problem[]} */
  const problems = []
  walk(document, [...componentSchemas(document), ...inlineSchemas(document, [])], (schema, path, whole) => {
    if (!whole || ![schema['type']].flat().includes('array') || 'items' in schema || 'prefixItems' in schema) return
    problems.push({ message: 'An array needs items', path })
  })
  return problems
}

/** Schemas of parameters, headers and bodies. @type {(value: unknown, path: import('./support/contract.js').Path) => import('./support/contract.js').PlacedSchema[]} */
function inlineSchemas(value, path) {
  if (Array.isArray(value)) return value.flatMap((item, index) => inlineSchemas(item, [...path, index]))
  if (!isNode(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'schemas' || key === 'examples' || key === 'example') return []
    if (key === 'schema' && isNode(inner)) return [{ schema: inner, path: [...path, key] }]
    return inlineSchemas(inner, [...path, key])
  })
}
