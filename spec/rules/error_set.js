import { credentialsOf, node, operations, text } from './support/contract.js'

/**
 * Every operation declares a response below 400 and the complete error set of its kind of caller. Options: credentials -> statuses.
 * @param {unknown} document
 * @param {Record<string, string[]>} expected
 */
export default function errorSet(document, expected) {
  return operations(document).flatMap(({ operation, path }) => {
    const statuses = Object.keys(node(operation['responses']))
    const missing = (expected[credentialsOf(operation)] ?? []).filter((status) => !statuses.includes(status))
    if (!statuses.some((status) => Number(status) < 400)) missing.unshift('below 400')
    return missing.length === 0
      ? []
      : [{ message: `${text(operation['operationId'])} lacks the responses ${missing.join(', ')}`, path: [...path, 'responses'] }]
  })
}
