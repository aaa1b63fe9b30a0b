/** The differences between two states of a contract, or between the contracts of two dates. */

import { isReference, walkObjects, type Document } from './document.ts'
import { isObject } from '../../server/kernel/is_object.ts'

/**
 * Components of `after` that are new or different, and all components that refer to one of them, as `schemas/Block`. Descriptions do not
 * count, except in examples.
 */
export function changedComponents(before: Document, after: Document): ReadonlySet<string> {
  const known = new Map(componentsOf(before).map(({ place, value }) => [place, value]))
  const users = new Map<string, string[]>()
  const changed: string[] = []
  for (const { place, value } of componentsOf(after)) {
    if (!known.has(place) || textOf(place, known.get(place)) !== textOf(place, value)) changed.push(place)
    for (const target of referencesIn(value)) users.set(target, [...(users.get(target) ?? []), place])
  }
  const reached = new Set(changed)
  // Iterating over a set includes items added meanwhile.
  for (const place of reached) for (const user of users.get(place) ?? []) reached.add(user)
  return reached
}

/** The components that a value refers to directly. */
export function referencesIn(value: unknown): Set<string> {
  const found = new Set<string>()
  walkObjects(value, (object) => {
    if (isReference(object)) found.add(object.$ref.replace('#/components/', ''))
  })
  return found
}

function componentsOf({ components }: Document): { place: string; value: unknown }[] {
  return Object.entries(components).flatMap(([kind, group]) =>
    Object.entries(isObject(group) ? group : {}).map(([name, value]) => ({ place: `${kind}/${name}`, value })),
  )
}

function textOf(place: string, value: unknown): string {
  if (place.startsWith('examples/')) return JSON.stringify(value)
  // A property of that name is a schema.
  return JSON.stringify(value, (key, item: unknown) => (key === 'description' && typeof item === 'string' ? undefined : item))
}
