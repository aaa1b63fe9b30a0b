import { isApi, list, operations, parameters, requestSchemas, text, walk } from './support/contract.js'

const neverEmpty = new Set(['binary', 'date', 'date-time', 'uuid', 'email', 'uri'])

/**
 * Strings in requests refuse the empty string, unless the description explains it, or says that the string is ignored.
 * @param {unknown} document
 */
export default function nonemptyStrings(document) {
  /** @type {import('./support/contract.js').Problem[]} */
  const problems = []
  const inParameters = operations(document)
    .filter(isApi)
    .flatMap((placed) =>
      parameters(document, placed).map(({ value, path }) => ({ schema: schemaOf(value), path: [...path, 'schema'] })),
    )
  walk(document, [...requestSchemas(document), ...inParameters], (schema, path, whole) => {
    const isString = [schema['type']].flat().includes('string')
    if (whole && isString && !refusesEmpty(schema) && !/\b(?:empty|ignored)\b/i.test(text(schema['description']))) {
      problems.push({
        message: 'A string that may be written needs minLength: 1, or a description that says what the empty string means',
        path,
      })
    }
  })
  return problems
}

/** @type {(parameter: import('./support/contract.js').Node) => import('./support/contract.js').Node} */
const schemaOf = (parameter) => /** @type {import('./support/contract.js').Node} */ (parameter['schema'] ?? {})

/** @type {(schema: import('./support/contract.js').Node) => boolean} */
function refusesEmpty(schema) {
  const { minLength, pattern, format, const: constant } = schema
  if (typeof minLength === 'number' && minLength > 0) return true
  if (constant !== undefined) return constant !== ''
  if (Array.isArray(schema['enum'])) return !list(schema['enum']).includes('')
  return (typeof pattern === 'string' && !new RegExp(pattern, 'u').test('')) || neverEmpty.has(text(format))
}
