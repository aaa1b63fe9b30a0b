/** Removes the parts of a bundle that contain broken references, so that the rest can be checked. */

import { referencesIn } from './changed.ts'
import { isReference, walkObjects, type Document } from './document.ts'
import type { BundlePath } from './source_map.ts'
import { isObject } from '../../server/kernel/is_object.ts'

/** A component, a path or a webhook: one file in the sources. */
interface Part {
  readonly path: BundlePath
  readonly value: unknown
}

/**
 * Removes every broken reference, in place.
 * @returns paths of the parts that had one, and of all parts that lead to one of these: findings there may only be consequences of the
 * broken reference
 */
export function removeBrokenReferences(document: Document): BundlePath[] {
  const broken = new Set<string>()
  // Removed parts may themselves be referenced.
  for (let before = -1; before < broken.size;) {
    before = broken.size
    for (const { path } of partsOf(document)) if (removeFrom(document, path)) broken.add(JSON.stringify(path))
  }
  return pathsLeadingTo(document, broken)
}

/**
 * Paths of some parts of a contract, and of all parts that lead to one of them.
 * @param found the paths of parts, as JSON; further ones are added
 */
export function pathsLeadingTo(document: Document, found: Set<string>): BundlePath[] {
  const parts = partsOf(document).map(({ path, value }) => ({ path, names: referencesIn(value) }))
  // Iterating over a set includes items added meanwhile.
  for (const key of found) {
    const [, kind, name] = JSON.parse(key) as string[]
    for (const { path, names } of parts) if (names.has(`${kind}/${name}`)) found.add(JSON.stringify(path))
  }
  for (const name of examplesOf(document, (ref) => found.has(JSON.stringify(['components', ...ref.split('/')]))))
    found.add(JSON.stringify(['components', ...name.split('/')]))
  // The root file contains only the name of a path: the path's own file has its keys.
  const keys = new Map(
    partsOf(document).map(({ path, value }) => [JSON.stringify(path), Object.keys(isObject(value) ? value : {})]),
  )
  return [...found].map((key) => [...(JSON.parse(key) as string[]), ...(keys.get(key) ?? []).slice(0, 1)])
}

/** The examples of media types whose schema satisfies `isAmong`, as `examples/CreatePage`. */
function examplesOf({ paths, webhooks, components }: Document, isAmong: (component: string) => boolean): string[] {
  const found: string[] = []
  walkObjects([paths, webhooks, components.responses], ({ schema, examples }) => {
    if (isObject(examples) && [...referencesIn(schema)].some(isAmong)) found.push(...referencesIn(examples))
  })
  return found
}

/** The parts that can refer to each other. */
export function partsOf({ paths, webhooks = {}, components }: Document): Part[] {
  const parts = (path: BundlePath, group: unknown): Part[] =>
    Object.entries(isObject(group) ? group : {}).map(([name, value]) => ({ path: [...path, name], value }))
  return [
    ...parts(['paths'], paths),
    ...parts(['webhooks'], webhooks),
    ...Object.entries(components).flatMap(([kind, group]) => parts(['components', kind], group)),
  ]
}

/** @returns whether something was removed */
function removeFrom(document: Document, path: BundlePath): boolean {
  const holder = path.slice(0, -1).reduce<unknown>((part, key) => (isObject(part) ? part[String(key)] : undefined), document)
  const name = String(path.at(-1))
  return isObject(holder) && removeBelow(document, holder, [name])
}

function removeBelow(document: Document, holder: Record<string, unknown>, keys = Object.keys(holder)): boolean {
  let removed = false
  for (const key of keys) {
    const value = holder[key]
    if (isBroken(document, value) || (key === 'mapping' && isObject(value) && Object.values(value).some(isPathOfFile))) {
      delete holder[key]
      removed = true
    } else if (Array.isArray(value)) {
      const kept = value.filter((item) => !isBroken(document, item))
      const inner = kept.filter((item) => isObject(item) && removeBelow(document, item))
      if (kept.length < value.length) holder[key] = kept
      removed ||= kept.length < value.length || inner.length > 0
    } else if (isObject(value) && removeBelow(document, value)) removed = true
  }
  return removed
}

/** The bundler has replaced file paths by component names, unless it could not find the file. */
const isPathOfFile = (target: unknown): boolean => typeof target === 'string' && !target.startsWith('#/') && target.includes('/')

function isBroken({ components }: Document, value: unknown): boolean {
  if (!isReference(value)) return false
  const [root, section, kind = '', name = ''] = value.$ref.split('/')
  const group = components[kind]
  return root !== '#' || section !== 'components' || !isObject(group) || !(name in group)
}
