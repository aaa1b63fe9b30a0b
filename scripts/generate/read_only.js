/**
 * `x-read-only-of` of a request schema names the schema of the record that the request writes (spec/README.md, "Read-only members").
 * Members of the record that the request does not write are accepted when they are sent back. For editors and for Redocly on the command
 * line this is a plugin (`redocly.yaml`); the project's scripts apply it when they read a file.
 */

import { isNode } from './families.js'

/** @typedef {import('./families.js').Node} Node a map of a file */

const NAME = 'x-read-only-of'
const WORDS = {
  ignored: 'A read-only field, as it was read. Accepted and ignored.',
  unchanged: 'A read-only field, as it was read. Another value is rejected. Null and the empty string count as omitted.',
}

/**
 * The path of the record's schema, as the request schema names it.
 * @type {(schema: unknown) => string | undefined}
 */
export function recordOf(schema) {
  const record = isNode(schema) ? schema[NAME] : undefined
  return isNode(record) && typeof record['$ref'] === 'string' ? record['$ref'] : undefined
}

/**
 * Adds the record's other members to a request schema.
 * @type {(schema: Node, record: unknown) => void}
 */
export function addReadOnlyMembers(schema, record) {
  const own = isNode(schema['properties']) ? schema['properties'] : {}
  const read = isNode(record) && isNode(record['properties']) ? record['properties'] : {}
  const declared = isNode(schema[NAME]) ? [schema[NAME]['unchanged'] ?? []].flat() : []
  const members = Object.entries(read).filter(([name]) => !(name in own))
  schema['properties'] = {
    ...own,
    ...Object.fromEntries(members.map(([name, member]) => [name, readOnlyMember(member, declared.includes(name))])),
  }
  delete schema[NAME]
}

/**
 * A constant is checked. Other values are checked only if they identify the record.
 * @type {(member: unknown, isUnchanged: boolean) => Node}
 */
function readOnlyMember(member, isUnchanged) {
  if (isNode(member) && 'const' in member)
    return { type: 'string', description: 'A constant, as it was read. May be omitted.', readOnly: true, const: member['const'] }
  return isUnchanged
    ? { description: WORDS.unchanged, readOnly: true, 'x-unchanged': true }
    : { description: WORDS.ignored, readOnly: true }
}

/** The part of a Redocly visitor's context that is used here. @typedef {{resolve(ref: Node): {node?: unknown}}} Context */

export default () => ({
  id: 'read-only',
  preprocessors: {
    oas3: {
      members: () => ({
        /** @type {(schema: Node, context: Context) => void} */
        Schema(schema, { resolve }) {
          const ref = recordOf(schema)
          if (ref !== undefined) addReadOnlyMembers(schema, resolve({ $ref: ref }).node)
        },
      }),
    },
  },
})
