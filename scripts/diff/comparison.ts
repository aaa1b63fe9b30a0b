/** The context of a comparison: both contracts, the side that is compared, and where findings go. */

import { isDeepStrictEqual } from 'node:util'
import { isReference, resolve, schemaNameOf, walkObjects, type Document } from '../generate/document.ts'
import type { Word } from './change.ts'
import { isObject } from '../../server/kernel/is_object.ts'

/** The direction of a message: the same change has opposite meanings for requests and responses. */
export type Side = 'request' | 'response'

export interface Contracts {
  base: Document
  revised: Document
  /** names of schemas that differ, or lead to one that does */
  changed: Set<string>
  /** names of schemas that may gain kinds and values at any time */
  growing: Set<string>
}

export interface Comparison {
  contracts: Contracts
  side: Side
  /** pairs of components that have been compared for this operation and side */
  seen: Set<string>
  report: (word: Word, location: string, message: string) => void
  /** `compareSchemas` in this comparison */
  compare: (before: unknown, after: unknown, location: string) => void
}

/** Reports a change with one level for requests and another for responses. */
export function reportBySide(comparison: Comparison, levels: Record<Side, Word>, location: string, message: string): void {
  comparison.report(levels[comparison.side], location, message)
}

/** Accepting less breaks senders; sending more breaks readers. */
export const narrower: Record<Side, Word> = { request: 'major', response: 'minor' }
export const wider: Record<Side, Word> = { request: 'minor', response: 'major' }

/** Both contracts, with facts about them that are computed once. */
export function contractsOf(base: Document, revised: Document): Contracts {
  return { base, revised, changed: changedSchemas(base, revised), growing: growingSchemas(base, revised) }
}

/**
 * The schemas that may grow according to `base`, including the current variants of their unions, so that every union that contains one of
 * those may grow too. A base without the list allows all of it.
 */
function growingSchemas(base: Document, revised: Document): Set<string> {
  const named = listedToGrow('x-may-grow' in base.info ? base : revised)
  const variants = named.flatMap((name) => revised.components.schemas?.[name]?.oneOf ?? [])
  return new Set([...named, ...variants.flatMap((variant) => referenceName(variant) ?? [])])
}

/** The schemas listed in `x-may-grow`. */
export function listedToGrow({ info }: Document): string[] {
  const lists = isObject(info['x-may-grow']) ? Object.values(info['x-may-grow']) : []
  return lists.flat().filter((name) => typeof name === 'string')
}

function changedSchemas(base: Document, revised: Document): Set<string> {
  const [before, after] = [base.components.schemas ?? {}, revised.components.schemas ?? {}]
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = new Set(names.filter((name) => !isSame(before[name], after[name])))
  const users = usersOf(names.map((name) => [name, [before[name], after[name]]]))
  // Iterating over a set includes items added meanwhile.
  for (const name of changed) for (const user of users.get(name) ?? []) changed.add(user)
  return changed
}

/** By schema, the schemas that refer to it. */
function usersOf(schemas: readonly [name: string, versions: unknown][]): Map<string, Set<string>> {
  const users = new Map<string, Set<string>>()
  for (const [user, versions] of schemas) {
    for (const name of schemasNamedIn(versions)) users.set(name, (users.get(name) ?? new Set()).add(user))
  }
  return users
}

function schemasNamedIn(value: unknown): string[] {
  const names: string[] = []
  walkObjects(value, (object) => {
    const name = isReference(object) ? schemaNameOf(object.$ref) : undefined
    if (name !== undefined) names.push(name)
  })
  return names
}

/** Whether both values are equal as text, including everything that they refer to. */
export function isUnchanged({ changed }: Contracts, before: unknown, after: unknown): boolean {
  return isSame(before, after) && !schemasNamedIn(after).some((name) => changed.has(name))
}

export function referenceName(value: unknown): string | undefined {
  return isReference(value) ? schemaNameOf(value.$ref) : undefined
}

/** The target of a reference; any other object itself; an empty object for anything else. */
export function resolved(document: Document, value: unknown): Record<string, unknown> {
  return isObject(value) ? resolve<Record<string, unknown>>(document, value) : {}
}

export function isSame(before: unknown, after: unknown): boolean {
  return isDeepStrictEqual(before, after)
}

/** Names as text in code: `a`, `b`. */
export function asCode(values: readonly unknown[]): string {
  return values.map((value) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``).join(', ')
}

/** The values that are only in the first list, and those only in the second. */
export function listChanges<T>(before: readonly T[], after: readonly T[]): { removed: T[]; added: T[] } {
  return { removed: before.filter((item) => !after.includes(item)), added: after.filter((item) => !before.includes(item)) }
}
