import { componentSchemas, isNode, list, node, property, walk } from './support/contract.js'
import { didYouMean } from './support/did_you_mean.js'

/**
 * A required key is one that the schema (or a part of its `allOf`) describes, and a key with a date since which it is required is
 * a required one.
 * @param {unknown} document
 */
export default function requiredProperties(document) {
  /** @type {import('./support/contract.js').Problem[]} */
  const problems = []
  walk(document, componentSchemas(document), (schema, path, whole) => {
    const required = list(schema['required']).map(String)
    for (const key of Object.keys(node(schema['x-required-since']))) {
      if (required.includes(key)) continue
      const message = `${key} is not required${didYouMean(key, required)}`
      problems.push({ message, path: [...path, 'x-required-since', key] })
    }
    if (!whole || isNode(schema['additionalProperties']) || list(schema['oneOf']).length > 0) return
    required.forEach((key, index) => {
      if (property(document, schema, key) !== undefined || key in node(schema['properties'])) return
      const message = `${key} is required, but not described${didYouMean(key, keysOf(schema))}`
      problems.push({ message, path: [...path, 'required', index] })
    })
  })
  return problems
}

/** @type {(schema: import('./support/contract.js').Node) => string[]} described keys that are not required */
function keysOf(schema) {
  const required = list(schema['required'])
  return Object.keys(node(schema['properties'])).filter((key) => !required.includes(key))
}
