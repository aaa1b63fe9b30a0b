import { requestSchemas, walk } from './support/contract.js'

/**
 * Examples of what may be written stand beside the media type or the parameter, never inside a schema: tools that read one there
 * build a body around it for every way that leads to the schema, which in a union of block types is without end.
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
