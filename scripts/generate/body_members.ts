/** Members of a request body that the server treats before the handler sees them. */

import { requestBodyOf, resolve, type Document, type OperationObject, type Schema, type SchemaOrBoolean } from './document.ts'

/** Names of members, in alphabetical order. */
export interface ReadOnlyMembers {
  /** accepted, whatever they say */
  ignored: string[]
  /** refused unless they say what the record has (`x-unchanged`) */
  unchanged: string[]
}

/** The members of the body of an operation that only repeat what was read: those of its schema that are `readOnly`; null if it has none. */
export function readOnlyMembers(document: Document, operation: OperationObject): ReadOnlyMembers | null {
  const schema = requestBodyOf(document, operation)?.content['application/json']?.schema
  const found = Map.groupBy(schema === undefined ? [] : membersOf(document, schema), ([name]) => name)
  const names = [...found].filter(([, forms]) => forms.every(([, member]) => member['readOnly'] === true))
  const isUnchanged = ([, forms]: (typeof names)[number]): boolean => forms.some(([, member]) => member['x-unchanged'] === true)
  const [unchanged, ignored] = [names.filter(isUnchanged), names.filter((name) => !isUnchanged(name))]
  const sorted = (list: typeof names): string[] => list.map(([name]) => name).toSorted()
  return names.length === 0 ? null : { ignored: sorted(ignored), unchanged: sorted(unchanged) }
}

/** The members of the body of an operation that are maps with keys of the caller: `[]` counts as `{}` there. */
export function mapMembers(document: Document, operation: OperationObject): string[] {
  const schema = requestBodyOf(document, operation)?.content['application/json']?.schema
  const members = schema === undefined ? [] : membersOf(document, schema)
  const maps = members.filter(([, member]) => isMap(document, member))
  return [...new Set(maps.map(([name]) => name))].toSorted()
}

/** Whether an object of a schema has keys of the caller; beside it, there may be null. */
function isMap(document: Document, member: SchemaOrBoolean): boolean {
  if (typeof member === 'boolean') return false
  const { type, additionalProperties, properties, oneOf } = resolve<Schema>(document, member)
  if (oneOf?.length === 2 && oneOf.some((one) => typeof one === 'object' && one.type === 'null'))
    return oneOf.some((one) => isMap(document, one))
  return type === 'object' && typeof additionalProperties === 'object' && properties === undefined
}

/** The members of an object, and of each variant of a union. */
function membersOf(document: Document, given: SchemaOrBoolean): [name: string, schema: Schema][] {
  if (typeof given === 'boolean') return []
  const { properties = {}, allOf = [], oneOf = [] } = resolve<Schema>(document, given)
  const own = Object.entries(properties).flatMap(([name, member]): [string, Schema][] =>
    typeof member === 'boolean' ? [] : [[name, member]],
  )
  return [...own, ...[...allOf, ...oneOf].flatMap((part) => membersOf(document, part))]
}
