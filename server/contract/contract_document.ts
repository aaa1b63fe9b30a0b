import { readFileSync } from 'node:fs'

/** The contract in the generated form for the server: the parts of it that the server reads itself. */
export interface ContractDocument {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string }
  readonly paths: Record<string, Record<string, ContractOperation>>
  readonly components: { readonly schemas: Record<string, JsonSchema> }
}

interface ContractParameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema?: JsonSchema
}

interface ContractOperation {
  readonly operationId: string
  readonly parameters?: readonly ContractParameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Record<string, { readonly schema?: JsonSchema }> }
}

export type JsonSchema = Record<string, unknown>

/** Loads `generated/openapi.server.json`. Each call returns a new copy, because the validator changes its copy in place. */
export function loadContractDocument(): ContractDocument {
  return parseContractDocument(readFileSync(new URL('../../generated/openapi.server.json', import.meta.url), 'utf8'))
}

export function parseContractDocument(text: string): ContractDocument {
  return JSON.parse(text) as ContractDocument
}

/** Names of the query parameters of an operation that are arrays, so that they may be repeated. */
export function arrayParameters(document: ContractDocument, method: string, path: string): ReadonlySet<string> {
  const parameters = document.paths[path]?.[method]?.parameters ?? []
  return new Set(
    parameters.filter((parameter) => parameter.in === 'query' && parameter.schema?.['type'] === 'array').map(({ name }) => name),
  )
}
