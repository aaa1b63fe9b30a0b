import { componentSchemas, isNode, list, node, property, walk } from './support/contract.js'

/**
 * A required key is one that the schema (or a part of its `allOf`) describes.
 * @param {unknown} document
 */
export default function requiredProperties(document) {
  /** @type {import('./support/contract.js').Problem[]} */
  const problems = []
  walk(document, componentSchemas(document), (schema, path, whole) => {
    if (!whole || isNode(schema['additionalProperties']) || list(schema['oneOf']).length > 0) return
    for (const key of list(schema['required'])) {
      const known =
        typeof key === 'string' && (property(document, schema, key) !== undefined || key in node(schema['properties']))
      if (!known) problems.push({ message: `${String(key)} is required, but not described`, path: [...path, 'required'] })
    }
  })
  return problems
}
