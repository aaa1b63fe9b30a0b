import { readFileSync } from 'node:fs'

/** The parts of the generated server form that the server reads by itself. */
export interface ContractDocument {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string }
  readonly paths: Record<string, Record<string, ContractOperation>>
  readonly components: { readonly schemas: Record<string, Schema> }
}

interface ContractParameter {
  readonly name: string
  readonly in: string
  readonly schema?: Schema
}

interface ContractOperation {
  readonly operationId: string
  readonly parameters?: readonly ContractParameter[]
  readonly requestBody?: { readonly content: Record<string, { readonly schema?: Schema }> }
}

export type Schema = Record<string, unknown>

/** Reads a fresh copy of `generated/openapi.server.json`: the validator prepares its copy in place. */
export function loadContract(): ContractDocument {
  return parseContract(readFileSync(new URL('../../generated/openapi.server.json', import.meta.url), 'utf8'))
}

/** Reads the text of the server form. */
export function parseContract(text: string): ContractDocument {
  return JSON.parse(text) as ContractDocument
}

/** Query parameters of an operation that are lists and may be repeated. */
export function listParameters(document: ContractDocument, method: string, path: string): ReadonlySet<string> {
  const parameters = document.paths[path]?.[method]?.parameters ?? []
  return new Set(
    parameters.filter((parameter) => parameter.in === 'query' && parameter.schema?.['type'] === 'array').map(({ name }) => name),
  )
}
