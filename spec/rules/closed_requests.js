import { isNode, list, node, requestSchemas, text, walk } from './support/contract.js'

/**
 * Objects in request bodies are closed: `additionalProperties: false`, or `unevaluatedProperties: false` beside `allOf`. A map declares its
 * values with `additionalProperties`; a union leaves it to its variants; an object that is ignored says so in its description.
 * @param {unknown} document
 */
export default function closedRequests(document) {
  /** @type {import('./support/contract.js').Problem[]} */
  const problems = []
  walk(document, requestSchemas(document), (schema, path, whole) => {
    if (!whole || !isObjectSchema(schema) || list(schema['oneOf']).length > 0 || /\bignored\b/i.test(text(schema['description'])))
      return
    const { additionalProperties: additional, unevaluatedProperties: unevaluated } = schema
    if (additional === false || isNode(additional) || unevaluated === false || isNode(unevaluated)) return
    problems.push({ message: 'An object in a request must be closed', path })
  })
  return problems
}

/** @type {(schema: import('./support/contract.js').Node) => boolean} */
function isObjectSchema(schema) {
  const types = [schema['type']].flat()
  return types.includes('object') || (schema['type'] === undefined && Object.keys(node(schema['properties'])).length > 0)
}
