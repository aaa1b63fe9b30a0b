import { componentSchemas, follow, isNode, list, node, property, walk } from './support/contract.js'
import { didYouMean } from './support/did_you_mean.js'

/**
 * A required key is a property of the schema or of a part of its `allOf`, and a key in `x-required-since` is required.
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
    for (const part of partsOf(document, schema, path)) problems.push(...undescribed(document, schema, part))
  })
  return problems
}

/** @typedef {import('./support/contract.js').PlacedSchema} PlacedSchema */

/** The schema and the parts of its `allOf`. @type {(document: unknown, schema: import('./support/contract.js').Node, path: import('./support/contract.js').Path) => PlacedSchema[]} */
function partsOf(document, schema, path) {
  const parts = list(schema['allOf']).flatMap((part, index) => {
    const found = follow(document, part, [...path, 'allOf', index])
    return 'if' in found.value || 'oneOf' in found.value ? [] : partsOf(document, found.value, found.path)
  })
  return [{ schema, path }, ...parts]
}

/**
 * Required keys of a part that are not properties of the whole schema.
 * @type {(document: unknown, whole:
 * import('./support/contract.js').Node, part: PlacedSchema) => import('./support/contract.js').Problem[]}
 */
function undescribed(document, whole, { schema, path }) {
  const required = list(schema['required']).map(String)
  const others = Object.keys(node(schema['properties'])).filter((key) => !required.includes(key))
  return required.flatMap((key, index) => {
    if (property(document, whole, key) !== undefined || key in node(whole['properties'])) return []
    const message = `${key} is required, but not described${didYouMean(key, others)}`
    return [{ message, path: [...path, 'required', index] }]
  })
}
