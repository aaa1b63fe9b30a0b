import { requestSchemas, walk } from './support/contract.js'

/**
 * Request examples are at the media type or the parameter, never inside a schema: tools would build a body around such an example for every
 * path to the schema, which is endless in a union of block types.
 * @param {unknown} document
 */
export default function examplesOfRequests(document) {
  /** @type {import('./support/contract.js').Problem[]} */
  const problems = []
  walk(document, requestSchemas(document), (schema, path) => {
    if ('example' in schema || 'examples' in schema)
      problems.push({ message: 'The example of a request schema belongs beside the media type or the parameter', path })
  })
  return problems
}
