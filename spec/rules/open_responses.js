import { responseSchemas, walk } from './support/contract.js'

/**
 * Objects in responses and events are open, so that a key may be added later. Options: schemas that responses return as they were sent;
 * these and the schemas that they refer to stay closed.
 * @param {unknown} document
 * @param {{echoed: string[]}} options
 */
export default function openResponses(document, { echoed }) {
  /** @type {import('./support/contract.js').Problem[]} */
  const problems = []
  const left = echoed.map((name) => ({ schema: { $ref: `#/components/schemas/${name}` }, path: [] }))
  /** @type {Set<unknown>} */
  const closed = new Set()
  walk(document, left, (schema) => closed.add(schema))
  walk(document, responseSchemas(document), (schema, path) => {
    if (closed.has(schema)) return
    for (const keyword of ['additionalProperties', 'unevaluatedProperties']) {
      if (schema[keyword] === false) problems.push({ message: 'An object in a response must be open', path: [...path, keyword] })
    }
  })
  return problems
}
