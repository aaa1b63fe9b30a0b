import { quoted, type PropertyReference } from './references.ts'
import { propertyById, type FormulaSchemas } from './schema.ts'
import { tokenize } from './tokens.ts'

/**
 * The text of a stored formula for responses, which can be sent back: as it was written, with the current names of properties, or
 * the last name of a property that no longer exists.
 */
export function renderStored(stored: string, schemas: FormulaSchemas): string {
  const parts: string[] = []
  let end = 0
  for (const token of tokenize(stored, 'stored')) {
    if (token.kind !== 'reference') continue
    const { dataSourceId, propertyId, lastName } = token.value
    const name = propertyById(schemas(dataSourceId), propertyId)?.name ?? lastName
    parts.push(stored.slice(end, token.start), quoted(name))
    end = token.end
  }
  return parts.join('') + stored.slice(end)
}

/** The properties to which a stored formula refers, in order and with repetitions. Needs no schema. */
export function referencesOfStored(stored: string): PropertyReference[] {
  return tokenize(stored, 'stored').flatMap((token) => (token.kind === 'reference' ? [token.value] : []))
}
