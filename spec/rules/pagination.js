import { bodySchemas, isNode, node, operations, parameters, property, required, text, variants } from './support/contract.js'

/** @typedef {import('./support/contract.js').PlacedOperation} PlacedOperation */
/** @typedef {Record<string, {requires: string[], continued_elsewhere?: boolean}>} Shapes */

/**
 * A list has `x-pagination`, which names the location of cursor and page size, and the shape of the response. Every operation with a cursor
 * is a list. Options: shape -> required keys of the response beside the items, and whether the cursor belongs to another operation that
 * lists this one's result.
 * @param {unknown} document
 * @param {Shapes} shapes
 */
export default function pagination(document, shapes) {
  return operations(document).flatMap((placed) => {
    const rule = placed.operation['x-pagination']
    const id = text(placed.operation['operationId'])
    const faults = isNode(rule) ? listFaults(document, placed, rule, shapes) : cursorFaults(document, placed)
    return faults.map((fault) => ({ message: `${id}: ${fault}`, path: placed.path }))
  })
}

/** @type {(document: unknown, placed: PlacedOperation, rule: import('./support/contract.js').Node, shapes: Shapes) => string[]} */
function listFaults(document, placed, rule, shapes) {
  const { in: location, items, shape } = rule
  const { requires: keys, continued_elsewhere: elsewhere = false } = shapes[text(shape)] ?? {}
  if (!['query', 'body'].includes(text(location)) || typeof items !== 'string' || keys === undefined)
    return ['x-pagination is not {in: query or body, items, shape}']
  const missing = elsewhere ? [] : ['start_cursor', 'page_size'].filter((name) => !takes(document, placed, text(location), name))
  const responses = responseSchemas(document, placed).filter((schema) => keys.every((key) => property(document, schema, key)))
  return [
    ...missing.map((name) => `lacks ${name} in the ${text(location)}`),
    ...(responses.length > 0 ? [] : [`no response has ${[items, ...keys].join(', ')}`]),
    ...responses.flatMap((schema) =>
      [items, ...keys].filter((key) => !required(document, schema).has(key)).map((key) => `the response must require ${key}`),
    ),
    ...responses
      .filter((schema) => property(document, schema, items)?.['type'] !== 'array')
      .map(() => `the response's ${items} must be an array`),
  ]
}

/** @type {(document: unknown, placed: PlacedOperation) => string[]} */
function cursorFaults(document, placed) {
  return ['query', 'body'].some((location) => takes(document, placed, location, 'start_cursor'))
    ? ['accepts a cursor, but has no x-pagination']
    : []
}

/** @type {(document: unknown, placed: PlacedOperation, place: string, name: string) => boolean} */
function takes(document, placed, location, name) {
  if (location === 'query')
    return parameters(document, placed).some(({ value }) => value['in'] === 'query' && value['name'] === name)
  const schemas = bodySchemas(document, placed.operation['requestBody'], [])
  return schemas.length > 0 && schemas.every(({ schema }) => property(document, schema, name) !== undefined)
}

/** @type {(document: unknown, placed: PlacedOperation) => import('./support/contract.js').Node[]} */
function responseSchemas(document, { operation }) {
  const responses = Object.entries(node(operation['responses'])).filter(([status]) => status.startsWith('2'))
  return responses.flatMap(([, response]) =>
    bodySchemas(document, response, []).flatMap(({ schema }) => variants(document, schema)),
  )
}
