import type { ContractDocument } from './document.ts'

const COMPONENT = '#/components/schemas/'
const SHARED = 'contract:/'

/**
 * Gives every component an address of its own and points all references there, in place. express-openapi-validator hands each
 * operation to Ajv as a document of its own: a reference inside it would be compiled anew for every operation that has it.
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
