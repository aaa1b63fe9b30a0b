/** The kinds that a union knows, as callers name them. */

import { isObject, type Document } from '../generate/document.ts'
import { narrower, quoted, referenceName, reportBySide, resolved, wider, type Walk } from './walk.ts'

interface Kind {
  /** same in both contracts */
  key: string
  schema: unknown
  /** the tag, payload key or error code by which callers know it */
  label: string
  isError: boolean
}

/** Kinds that are in both are compared; others have come or gone. */
export function compareKinds(walk: Walk, before: unknown[], after: unknown[], place: string): void {
  const [was, is] = [namedKinds(walk.contracts.base, before), namedKinds(walk.contracts.revised, after)]
  for (const kind of was) {
    const same = is.find(({ key }) => key === kind.key)
    if (same === undefined) reportRemoved(walk, kind, place)
    else walk.compare(kind.schema, same.schema, `${place}(${kind.label})`)
  }
  for (const kind of is.filter(({ key }) => was.every((other) => other.key !== key))) reportAdded(walk, kind, place)
}

function reportRemoved(walk: Walk, { label, isError }: Kind, place: string): void {
  // Programs act on error codes; one that is no longer sent is another one now.
  if (isError) walk.report('major', place, `error code ${quoted([label])} no longer sent`)
  else reportBySide(walk, narrower, place, `${quoted([label])} no longer ${walk.side === 'request' ? 'accepted' : 'sent'}`)
}

function reportAdded(walk: Walk, { key, label, isError }: Kind, place: string): void {
  const { growing } = walk.contracts
  const grows = growing.has(place) || growing.has(key)
  const message = `${isError ? 'error code ' : ''}${quoted([label])} now ${walk.side === 'request' ? 'accepted' : 'sent'}, too`
  reportBySide(walk, grows ? { request: 'minor', answer: 'minor' } : wider, place, message)
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
