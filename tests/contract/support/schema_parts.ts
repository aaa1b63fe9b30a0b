import type { JsonSchema } from '../../../server/contract/contract_document.ts'

/** The value where it is a schema, or one without a keyword. */
export function schemaOf(value: unknown): JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonSchema) : {}
}

export function listOf(value: unknown): JsonSchema[] {
  return Array.isArray(value) ? value.map(schemaOf) : []
}
