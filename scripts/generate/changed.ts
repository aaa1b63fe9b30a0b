/** The differences between two states of a contract, or between the contracts of two dates. */

import { hash } from 'node:crypto'
import { isReference, walkObjects, type Document } from './document.ts'
import { isObject } from '../../server/kernel/is_object.ts'

/**
 * Components of `after` that are new or different, and all components that refer to one of them, as `schemas/Block`. Descriptions do not
 * count, except in examples.
 */
export function changedComponents(before: Document, after: Document): ReadonlySet<string> {
  const known = new Map(componentsOf(before).map(({ location, value }) => [location, value]))
  const users = new Map<string, string[]>()
  const changed: string[] = []
  for (const { location, value } of componentsOf(after)) {
    const was = known.get(location)
    if (was !== value && (!known.has(location) || textOf(location, was) !== textOf(location, value))) changed.push(location)
    for (const target of referencesIn(value)) users.set(target, [...(users.get(target) ?? []), location])
  }
  const reached = new Set(changed)
  // Iterating over a set includes items added meanwhile.
  for (const location of reached) for (const user of users.get(location) ?? []) reached.add(user)
  return reached
}

/** Hashes of each schema component with all schemas that it refers to, without descriptions. */
export function statesOfSchemas({ components: { schemas = {} } }: Document): (name: string) => string {
  const facts = new Map<string, { said: string; references: string[] }>()
  const factsOf = (name: string): { said: string; references: string[] } => {
    const known = facts.get(name) ?? {
      said: hash('sha256', textOf(`schemas/${name}`, schemas[name]) ?? ''),
      references: [...referencesIn(schemas[name])].map((location) => location.replace('schemas/', '')),
    }
    facts.set(name, known)
    return known
  }
  return (name) => {
    const reached = new Set([name])
    for (const one of reached) for (const other of factsOf(one).references) reached.add(other)
    return hash('sha256', [...reached].map((one) => `${one} ${factsOf(one).said}`).join('\n'))
  }
}

/** The components that a value refers to directly. Cached, because values do not change any more. */
export function referencesIn(value: unknown): ReadonlySet<string> {
  if (typeof value !== 'object' || value === null) return new Set()
  const known = references.get(value)
  if (known !== undefined) return known
  const found = new Set<string>()
  references.set(value, found)
  walkObjects(value, (object) => {
    if (isReference(object)) found.add(object.$ref.replace('#/components/', ''))
  })
  return found
}

function componentsOf({ components }: Document): { location: string; value: unknown }[] {
  return Object.entries(components).flatMap(([kind, group]) =>
    Object.entries(isObject(group) ? group : {}).map(([name, value]) => ({ location: `${kind}/${name}`, value })),
  )
}

const references = new WeakMap<object, ReadonlySet<string>>()

/** A cache: compared documents do not change any more. */
const texts = new WeakMap<object, string>()

function textOf(location: string, value: unknown): string {
  const known = isObject(value) ? texts.get(value) : undefined
  if (known !== undefined) return known
  const text = location.startsWith('examples/') ? JSON.stringify(value) : JSON.stringify(value, withoutDescription)
  if (isObject(value)) texts.set(value, text)
  return text
}

/** Under `properties`, `description` is the name of a property with a schema. */
function withoutDescription(key: string, item: unknown): unknown {
  return key === 'description' && typeof item === 'string' ? undefined : item
}
