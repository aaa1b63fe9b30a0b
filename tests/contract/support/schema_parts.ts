import type { JsonSchema } from '../../../server/contract/contract_document.ts'

/** The value if it is a schema, otherwise an empty schema. */
export function schemaOf(value: unknown): JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonSchema) : {}
}

export function listOf(value: unknown): JsonSchema[] {
  return Array.isArray(value) ? value.map(schemaOf) : []
}
