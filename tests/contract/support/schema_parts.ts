import type { Schema } from '../../../server/contract/document.ts'

/** The value where it is a schema, or one without a keyword. */
export function schemaOf(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {}
}

export function listOf(value: unknown): Schema[] {
  return Array.isArray(value) ? value.map(schemaOf) : []
}
