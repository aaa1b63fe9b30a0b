/** Members of a request body that the server handles before the handler sees them. */

import { requestBodyOf, resolve, type Document, type OperationObject, type Schema, type SchemaOrBoolean } from './document.ts'

/** Names of members, in alphabetical order. */
export interface ReadOnlyMembers {
  /** accepted with any value */
  ignored: string[]
  /** refused unless they equal the value of the record (`x-unchanged`) */
  unchanged: string[]
}

/** The read-only members of an operation's body, which callers send back as they read them; null if it has none. */
export function readOnlyMembers(document: Document, operation: OperationObject): ReadOnlyMembers | null {
  const schema = requestBodyOf(document, operation)?.content['application/json']?.schema
  const found = Map.groupBy(schema === undefined ? [] : membersOf(document, schema), ([name]) => name)
  const names = [...found].filter(([, forms]) => forms.every(([, member]) => member['readOnly'] === true))
  const isUnchanged = ([, forms]: (typeof names)[number]): boolean => forms.some(([, member]) => member['x-unchanged'] === true)
  const [unchanged, ignored] = [names.filter(isUnchanged), names.filter((name) => !isUnchanged(name))]
  const sorted = (list: typeof names): string[] => list.map(([name]) => name).toSorted()
  return names.length === 0 ? null : { ignored: sorted(ignored), unchanged: sorted(unchanged) }
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
