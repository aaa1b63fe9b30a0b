import { contents, follow, isNode, list, node, operations, property, text, variants } from './support/contract.js'

/**
 * Callers may send back a record as they read it: the body of an operation that creates or updates a record accepts every member of the
 * returned record. `x-read-only-of` derives those that the request does not write. Options: kinds of records, by their `object`; excluded
 * operations.
 * @param {unknown} document
 * @param {{kinds: string[], except: string[]}} options
 */
export default function readOnlyMembers(document, { kinds, except }) {
  return operations(document)
    .filter(({ operation }) => /^(?:create|update)/.test(text(operation['operationId'])))
    .filter(({ operation }) => !except.includes(text(operation['operationId'])))
    .flatMap(({ operation, path }) => {
      const response = jsonSchema(document, node(operation['responses'])['200'], [...path, 'responses', '200'])
      const records = variants(document, response?.schema).filter((schema) => isFullRecord(document, schema, kinds))
      const [first, ...others] = records.map((record) => memberNames(document, record))
      const body = jsonSchema(document, operation['requestBody'], [...path, 'requestBody'])
      if (first === undefined || body === undefined) return []
      const shared = [...first].filter((name) => others.every((names) => names.has(name)))
      const requests = variants(document, body.schema).map((request) => memberNames(document, request))
      const missing = shared.filter((name) => !requests.every((names) => names.has(name)))
      const message = `${text(operation['operationId'])} must accept ${missing.join(', ')} as it was read: \`x-read-only-of\` adds it`
      return missing.length === 0 ? [] : [{ message, path: body.path }]
    })
}

/** @type {(document: unknown, holder: unknown, path: (string | number)[]) => {schema: unknown, path: (string | number)[]} | undefined} */
function jsonSchema(document, holder, path) {
  const [found] = contents(document, holder, path).filter(([type]) => type === 'application/json')
  return found && { schema: found[1]['schema'], path: found[2] }
}

/** @type {(document: unknown, schema: unknown, kinds: string[]) => boolean} */
function isFullRecord(document, schema, kinds) {
  return (
    kinds.includes(text(property(document, schema, 'object')?.['const'])) && memberNames(document, schema).has('created_time')
  )
}

/** @type {(document: unknown, schema: unknown) => Set<string>} names of members, those of `allOf` included */
function memberNames(document, schema) {
  const { value } = follow(document, schema, [])
  const parts = list(value['allOf']).flatMap((part) => [...memberNames(document, part)])
  return new Set([...(isNode(value['properties']) ? Object.keys(value['properties']) : []), ...parts])
}
