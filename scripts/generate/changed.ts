/** What differs between two states of a contract, or two contracts by date. */

import { isObject, isReference, walkObjects, type Document } from './document.ts'

/**
 * Components of `after` that `before` does not have, or has otherwise, and all that lead to one of them, as `schemas/Block`. What
 * descriptions say does not count, save in examples.
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
  // A set visits what is added to it on the way.
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
