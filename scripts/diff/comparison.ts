/** The context of a comparison: both contracts, the side that is compared, and where findings go. */

import { isDeepStrictEqual } from 'node:util'
import { isReference, resolve, schemaNameOf, walkObjects, type Document } from '../generate/document.ts'
import type { Word } from './change.ts'
import { isObject } from '../../server/kernel/is_object.ts'

/** What callers send or what they receive: the same change has opposite meanings for the two. */
export type Side = 'request' | 'answer'

export interface Contracts {
  base: Document
  revised: Document
  /** names of schemas that differ, or lead to one that does */
  changed: Set<string>
  /** names of schemas to which the contract may add kinds and values at any time */
  growing: Set<string>
}

export interface Comparison {
  contracts: Contracts
  side: Side
  /** pairs of components that have been compared for this operation and side */
  seen: Set<string>
  report: (word: Word, place: string, message: string) => void
  /** `compareSchemas` in this comparison */
  compare: (before: unknown, after: unknown, place: string) => void
}

/** Reports with one level for what callers send and another for what they receive. */
export function reportBySide(comparison: Comparison, byside: Record<Side, Word>, place: string, message: string): void {
  comparison.report(byside[comparison.side], place, message)
}

/** Accepting less breaks senders; sending more breaks readers. */
export const narrower: Record<Side, Word> = { request: 'major', answer: 'minor' }
export const wider: Record<Side, Word> = { request: 'minor', answer: 'major' }

/** Both contracts, with facts about them that are computed once. */
export function contractsOf(base: Document, revised: Document): Contracts {
  return { base, revised, changed: changedSchemas(base, revised), growing: growingSchemas(base, revised) }
}

/**
 * The schemas that callers of `base` were told may grow, with the present variants of their unions, so that every union that gains one
 * of those may grow too. A base that is older than the list counts as having it.
 */
function growingSchemas(base: Document, revised: Document): Set<string> {
  const named = listedToGrow('x-may-grow' in base.info ? base : revised)
  const variants = named.flatMap((name) => revised.components.schemas?.[name]?.oneOf ?? [])
  return new Set([...named, ...variants.flatMap((variant) => referenceName(variant) ?? [])])
}

/** The schemas that `x-may-grow` names. */
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

/** Whether both sides have the same text, and the same behind every reference. */
export function isUnchanged({ changed }: Contracts, before: unknown, after: unknown): boolean {
  return isSame(before, after) && !schemasNamedIn(after).some((name) => changed.has(name))
}

/** The name of the schema that a reference names. */
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

/** The values that are only in one list, and only in the other. */
export function listChanges<T>(before: readonly T[], after: readonly T[]): { removed: T[]; added: T[] } {
  return { removed: before.filter((item) => !after.includes(item)), added: after.filter((item) => !before.includes(item)) }
}
