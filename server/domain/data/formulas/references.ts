import { FormulaFault } from './failures.ts'

/** A reference to a property: by id, so that renames do not break it, with the name at the time of writing. */
export interface PropertyReference {
  readonly dataSourceId: string
  readonly propertyId: string
  /** Shown if the property no longer exists. */
  readonly lastName: string
}

/** A text as it appears in an expression, with its quotes. */
export function quoted(text: string): string {
  const escaped = text.replace(/["\\\n\t]/g, (character) => ({ '\n': '\\n', '\t': '\\t' })[character] ?? `\\${character}`)
  return `"${escaped}"`
}

/**
 * A reference as it appears in a stored expression: `{{["<data source>","<property>","<name>"]}}`. Callers cannot write it in an
 * expression.
 */
export function storedReference(reference: PropertyReference): string {
  return `{{${JSON.stringify([reference.dataSourceId, reference.propertyId, reference.lastName])}}}`
}

/**
 * Parses the stored reference that begins at `start`.
 * @throws FormulaFault
 */
export function parseReference(text: string, start: number): { reference: PropertyReference; end: number } {
  const close = closingBraces(text, start + 2)
  const parts = close < 0 ? undefined : parsed(text.slice(start + 2, close))
  const [dataSourceId, propertyId, lastName]: unknown[] = Array.isArray(parts) ? parts : []
  if (typeof dataSourceId !== 'string' || typeof propertyId !== 'string' || typeof lastName !== 'string') {
    throw new FormulaFault('the reference is damaged', start)
  }
  return { reference: { dataSourceId, propertyId, lastName }, end: close + 2 }
}

/** Finds the closing braces. Braces within the quoted name do not close the reference. */
function closingBraces(text: string, from: number): number {
  let isQuoted = false
  for (let offset = from; offset < text.length; offset++) {
    const character = text[offset]
    if (isQuoted && character === '\\') offset++
    else if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && text.startsWith('}}', offset)) return offset
  }
  return -1
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
