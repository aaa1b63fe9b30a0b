/** Compares the types and values of a schema. */

import { listChanges, narrower, asCode, reportBySide, wider, type Comparison } from './comparison.ts'

type Keywords = ReadonlyMap<string, unknown>

/** Compares `enum` and `const`. `name` is the name of the component, for the list of schemas that may grow. */
export function compareAllowedValues(comparison: Comparison, before: Keywords, after: Keywords, location: string): void {
  const [was, is] = [valuesOf(before), valuesOf(after)]
  const sends = comparison.side === 'request' ? 'accepted' : 'sent'
  const grows = comparison.contracts.growing.has(location)
  const widened = grows ? ({ request: 'minor', response: 'minor' } as const) : wider
  if (was === undefined && is === undefined) return
  if (was === undefined || is === undefined) {
    if (is !== undefined) reportBySide(comparison, narrower, location, `only ${asCode(is)} ${sends}, was any value`)
    else reportBySide(comparison, widened, location, `any value ${sends}, was only ${asCode(was ?? [])}`)
    return
  }
  const { removed, added } = listChanges(was, is)
  if (removed.length > 0) reportBySide(comparison, narrower, location, `${asCode(removed)} no longer ${sends}`)
  if (added.length > 0) reportBySide(comparison, widened, location, `${asCode(added)} now ${sends}, too`)
}

function valuesOf(keywords: Keywords): unknown[] | undefined {
  if (keywords.has('const')) return [keywords.get('const')]
  const values = keywords.get('enum')
  return Array.isArray(values) ? values : undefined
}

/** Compares `type`. An integer is a number, too. */
export function compareTypes(comparison: Comparison, before: Keywords, after: Keywords, location: string): void {
  const [was, is] = [typesOf(before), typesOf(after)]
  const sends = comparison.side === 'request' ? 'accepted' : 'sent'
  if (was.length === 0 && is.length === 0) return
  if (was.length === 0 || is.length === 0) {
    if (is.length > 0) reportBySide(comparison, narrower, location, `only ${is.join(' or ')} ${sends}, was any type`)
    else reportBySide(comparison, wider, location, `any type ${sends}, was only ${was.join(' or ')}`)
    return
  }
  const covers = (types: string[], type: string): boolean =>
    types.includes(type) || (type === 'integer' && types.includes('number'))
  const removed = was.filter((type) => !covers(is, type))
  const added = is.filter((type) => !covers(was, type))
  if (removed.length > 0) reportBySide(comparison, narrower, location, `${removed.join(' or ')} no longer ${sends}`)
  if (added.length > 0) reportBySide(comparison, wider, location, `${added.join(' or ')} now ${sends}, too`)
}

function typesOf(keywords: Keywords): string[] {
  return [keywords.get('type') ?? []].flat().map(String)
}
