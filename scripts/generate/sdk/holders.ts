/** Schemas outside `components.schemas`, and the objects that contain them. */

import type { Document, Schema } from '../document.ts'
import { isObject } from '../../../server/kernel/is_object.ts'

/** Applies a change to every schema outside `components.schemas`: of parameters, bodies and headers. */
export function withOuterSchemas(document: Document, change: (schema: Schema, location: string) => Schema): Document {
  return withHolders(document, (holder) =>
    isObject(holder['schema'])
      ? { ...holder, schema: change(holder['schema'], pascal(String(holder['name'] ?? 'Body'))) }
      : holder,
  )
}

/** Applies a change to every parameter, header and media type: objects with a schema and examples of it. */
export function withHolders(document: Document, change: (holder: Record<string, unknown>) => Record<string, unknown>): Document {
  const changed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(changed)
    if (!isObject(value)) return value
    if (isObject(value['schema'])) return change(value)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, changed(item)]))
  }
  const { schemas, ...components } = document.components
  const around = changed({ ...document, components }) as Document // the change keeps the kind of object
  return { ...around, components: { ...around.components, ...(schemas === undefined ? {} : { schemas }) } }
}

/** `rich_text` -> `RichText`. */
export function pascal(words: string): string {
  return words
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}
