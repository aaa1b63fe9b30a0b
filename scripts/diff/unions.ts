/** Compares the variants of a union by the names that callers use. */

import type { Document } from '../generate/document.ts'
import { narrower, asCode, referenceName, reportBySide, resolved, wider, type Comparison } from './comparison.ts'
import { isObject } from '../../server/kernel/is_object.ts'

interface Kind {
  /** same in both contracts */
  key: string
  schema: unknown
  /** the tag, payload key or error code by which callers know it */
  label: string
  isError: boolean
}

/** Compares variants that are in both unions, and reports added and removed ones. */
export function compareUnions(comparison: Comparison, before: unknown[], after: unknown[], location: string): void {
  const [was, is] = [namedKinds(comparison.contracts.base, before), namedKinds(comparison.contracts.revised, after)]
  for (const kind of was) {
    const same = is.find(({ key }) => key === kind.key)
    if (same === undefined) reportRemoved(comparison, kind, location)
    else comparison.compare(kind.schema, same.schema, `${location}(${kind.label})`)
  }
  for (const kind of is.filter(({ key }) => was.every((other) => other.key !== key))) reportAdded(comparison, kind, location)
}

function reportRemoved(comparison: Comparison, { label, isError }: Kind, location: string): void {
  // Programs depend on error codes: a code that is no longer sent is replaced by another.
  if (isError) comparison.report('major', location, `error code ${asCode([label])} no longer sent`)
  else
    reportBySide(
      comparison,
      narrower,
      location,
      `${asCode([label])} no longer ${comparison.side === 'request' ? 'accepted' : 'sent'}`,
    )
}

function reportAdded(comparison: Comparison, { key, label, isError }: Kind, location: string): void {
  const { growing } = comparison.contracts
  const grows = growing.has(location) || growing.has(key)
  const message = `${isError ? 'error code ' : ''}${asCode([label])} now ${comparison.side === 'request' ? 'accepted' : 'sent'}, too`
  reportBySide(comparison, grows ? { request: 'minor', response: 'minor' } : wider, location, message)
}

function namedKinds(document: Document, schemas: unknown[]): Kind[] {
  return schemas.map((schema, index) => {
    const name = referenceName(schema)
    const value = resolved(document, schema)
    const type = [value['type'] ?? []].flat().join(' or ')
    return {
      key: name ?? JSON.stringify(value['const']) ?? (type === '' ? `kind ${index + 1}` : type),
      schema,
      label: labelOf(document, value) ?? name ?? (type === '' ? `kind ${index + 1}` : type),
      isError: 'x-retry' in value,
    }
  })
}

function labelOf(document: Document, schema: Record<string, unknown>): string | undefined {
  if (typeof schema['x-payload-key'] === 'string') return schema['x-payload-key']
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const tags = ['x-retry' in schema ? 'code' : 'type', 'error', 'status', 'object'].map(
    (name) => resolved(document, properties[name])['const'],
  )
  return tags.find((tag) => typeof tag === 'string')
}
