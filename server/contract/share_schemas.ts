import type { ContractDocument } from './contract_document.ts'

const COMPONENT = '#/components/schemas/'
const SHARED = 'contract:/'

/**
 * Gives each component an `$id` and makes all references point to these, in place. The schemas of operations are
 * separate documents to Ajv, in which a local reference would be compiled again for every operation.
 */
export function shareSchemas(document: ContractDocument): void {
  redirect(document)
  for (const [name, schema] of Object.entries(document.components.schemas)) schema['$id'] = SHARED + name
}

function redirect(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const child of Object.values(value)) redirect(child)
  if ('$ref' in value && typeof value.$ref === 'string' && value.$ref.startsWith(COMPONENT))
    value.$ref = SHARED + value.$ref.slice(COMPONENT.length)
}
