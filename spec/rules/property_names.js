import { allSchemas, node, operations, parameters, text, walk } from './support/contract.js'

const snakeCase = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/

/**
 * Property and parameter names are snake_case; header names are exempt.
 * @param {unknown} document
 */
export default function propertyNames(document) {
  /** @type {import('./support/contract.js').Problem[]} */
  const problems = []
  walk(document, allSchemas(document), (schema, path) => {
    for (const name of Object.keys(node(schema['properties']))) {
      if (!snakeCase.test(name))
        problems.push({ message: `Property ${name} is not snake_case`, path: [...path, 'properties', name] })
    }
  })
  for (const placed of operations(document)) {
    for (const { value, path } of parameters(document, placed)) {
      if (value['in'] !== 'header' && !snakeCase.test(text(value['name'])))
        problems.push({ message: `Parameter ${text(value['name'])} is not snake_case`, path })
    }
  }
  return problems
}
