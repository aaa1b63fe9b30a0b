import { bodySchemas, isNode, node, operations, parameters, property, required, text, variants } from './support/contract.js'

/** @typedef {import('./support/contract.js').PlacedOperation} PlacedOperation */
/** @typedef {Record<string, {requires: string[], continued_elsewhere?: boolean}>} Shapes */

/**
 * A list has `x-pagination`, takes a cursor and a page size where that says, and answers in the shape that it names; an
 * operation that takes a cursor is a list. Options: shape -> keys that the answer requires beside
 * the items, and whether the cursor belongs to another operation that lists what this one has made.
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
  const { in: place, items, shape } = rule
  const { requires: keys, continued_elsewhere: elsewhere = false } = shapes[text(shape)] ?? {}
  if (!['query', 'body'].includes(text(place)) || typeof items !== 'string' || keys === undefined)
    return ['x-pagination is not {in: query or body, items, shape}']
  const missing = elsewhere ? [] : ['start_cursor', 'page_size'].filter((name) => !takes(document, placed, text(place), name))
  const answers = answerSchemas(document, placed).filter((schema) => keys.every((key) => property(document, schema, key)))
  return [
    ...missing.map((name) => `lacks ${name} in the ${text(place)}`),
    ...(answers.length > 0 ? [] : [`no answer has ${[items, ...keys].join(', ')}`]),
    ...answers.flatMap((schema) =>
      [items, ...keys].filter((key) => !required(document, schema).has(key)).map((key) => `the answer must require ${key}`),
    ),
    ...answers
      .filter((schema) => property(document, schema, items)?.['type'] !== 'array')
      .map(() => `the answer's ${items} must be an array`),
  ]
}

/** @type {(document: unknown, placed: PlacedOperation) => string[]} */
function cursorFaults(document, placed) {
  return ['query', 'body'].some((place) => takes(document, placed, place, 'start_cursor'))
    ? ['takes a cursor, but has no x-pagination']
    : []
}

/** @type {(document: unknown, placed: PlacedOperation, place: string, name: string) => boolean} */
function takes(document, placed, place, name) {
  if (place === 'query')
    return parameters(document, placed).some(({ value }) => value['in'] === 'query' && value['name'] === name)
  const schemas = bodySchemas(document, placed.operation['requestBody'], [])
  return schemas.length > 0 && schemas.every(({ schema }) => property(document, schema, name) !== undefined)
}

/** @type {(document: unknown, placed: PlacedOperation) => import('./support/contract.js').Node[]} */
function answerSchemas(document, { operation }) {
  const answers = Object.entries(node(operation['responses'])).filter(([status]) => status.startsWith('2'))
  return answers.flatMap(([, response]) =>
    bodySchemas(document, response, []).flatMap(({ schema }) => variants(document, schema)),
  )
}
