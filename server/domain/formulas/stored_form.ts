import { quoted, type PropertyReference } from './references.ts'
import { propertyById, type FormulaSchemas } from './schema.ts'
import { tokenize } from './tokens.ts'

/**
 * The text of a stored formula as callers read it, and may write it back: as it was sent, with each property under its current
 * name; one that is gone has its last name.
 */
export function renderStored(stored: string, schemas: FormulaSchemas): string {
  const parts: string[] = []
  let behind = 0
  for (const token of tokenize(stored, 'stored')) {
    if (token.kind !== 'reference') continue
    const { dataSourceId, propertyId, lastName } = token.value
    const name = propertyById(schemas(dataSourceId), propertyId)?.name ?? lastName
    parts.push(stored.slice(behind, token.start), quoted(name))
    behind = token.end
  }
  return parts.join('') + stored.slice(behind)
}

/** The properties that a stored formula names, in their order, repeated as they are. Needs no schema. */
export function referencesOfStored(stored: string): PropertyReference[] {
  return tokenize(stored, 'stored').flatMap((token) => (token.kind === 'reference' ? [token.value] : []))
}
