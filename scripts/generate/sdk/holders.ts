/** What holds schemas outside of `components.schemas`. */

import type { Document, Schema } from '../document.ts'
import { isObject } from '../../../server/kernel/is_object.ts'

/** The document with every schema that stands outside of `components.schemas` changed: of a parameter, a body, a header. */
export function withOuterSchemas(document: Document, change: (schema: Schema, place: string) => Schema): Document {
  return withHolders(document, (holder) =>
    isObject(holder['schema'])
      ? { ...holder, schema: change(holder['schema'], pascal(String(holder['name'] ?? 'Body'))) }
      : holder,
  )
}

/** The document with every parameter, header and media type changed: what holds a schema, and examples of it. */
export function withHolders(document: Document, change: (holder: Record<string, unknown>) => Record<string, unknown>): Document {
  const changed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(changed)
    if (!isObject(value)) return value
    if (isObject(value['schema'])) return change(value)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, changed(item)]))
  }
  const { schemas, ...components } = document.components
  const around = changed({ ...document, components }) as Document // what holds a schema still holds one
  return { ...around, components: { ...around.components, ...(schemas === undefined ? {} : { schemas }) } }
}

/** `rich_text` -> `RichText`. */
export function pascal(words: string): string {
  return words
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}
