/** `workspace-service/contract`: the contract as data. Subpaths of this export contain it as files. */
import { contractFolder, contractText } from '../contract/contract_text.ts'
import { jsonSchemaOf, type JsonSchemas } from '../contract/json_schema.ts'
import type { ReleaseDate } from '../versions/index.ts'

export { newestRelease, operations, releaseDates, type Operation, type OperationId } from '../../generated/operations.ts'
export type * from '../../generated/types.ts'

/** An OpenAPI 3.1 document, with the members that this program reads. */
export interface OpenApiDocument {
  readonly openapi: string
  readonly info: Readonly<Record<string, unknown>>
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components: {
    readonly schemas: JsonSchemas
    readonly examples: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>
    readonly [part: string]: unknown
  }
  readonly [part: string]: unknown
}

/**
 * The contract as an OpenAPI document.
 * @param date the release date; by default, the newest one
 */
export async function readContract(date?: ReleaseDate): Promise<OpenApiDocument> {
  const file = date === undefined ? 'openapi.json' : `versions/${date}.json`
  return JSON.parse(await contractText(contractFolder, file)) as OpenApiDocument
}

/**
 * A schema of the contract as a self-contained JSON Schema 2020-12.
 * @param name for example `PageObject`
 * @returns undefined if there is no schema of that name
 */
export function jsonSchema(contract: OpenApiDocument, name: string): Readonly<Record<string, unknown>> | undefined {
  return jsonSchemaOf(contract.components.schemas, name, `urn:workspace-service:${name}`)
}
