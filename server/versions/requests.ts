import type { OperationId } from '../contract/operation.ts'
import type { JsonObject } from './json.ts'
import type { NewCall, OldRequest } from './release.ts'
import { isObject } from '../kernel/is_object.ts'

const blocksOf = new WeakMap<NewCall, readonly JsonObject[]>()

/** Every block that a call writes, at any depth. Upgrades change blocks in place, so the list is created once for each call. */
export function writtenBlocks(call: NewCall): readonly JsonObject[] {
  const blocks = blocksOf.get(call) ?? findBlocks(call)
  blocksOf.set(call, blocks)
  return blocks
}

function findBlocks({ operation, body = {} }: NewCall): JsonObject[] {
  const found: JsonObject[] = operation.id === 'updateBlock' ? [body] : []
  if (operation.id === 'appendBlockChildren' || operation.id === 'createPage') collectBlocks(body['children'], found)
  if (operation.id === 'createPage') collectBlocks(body['content'], found)
  return found
}

function collectBlocks(list: unknown, found: JsonObject[]): void {
  if (!Array.isArray(list)) return
  for (const block of list) {
    if (!isObject(block)) continue
    found.push(block)
    for (const key of Object.keys(block)) {
      const content = block[key]
      if (isObject(content) && content['children'] !== undefined) collectBlocks(content['children'], found)
    }
  }
}

const PROPERTY_WRITERS: readonly OperationId[] = ['createPage', 'updatePage', 'createDatabase', 'updateDatabase']

/** Every property that a call writes: values of a page, or configurations of a schema. */
export function writtenProperties({ operation, body = {} }: NewCall): JsonObject[] {
  const properties = PROPERTY_WRITERS.includes(operation.id) ? body['properties'] : undefined
  return isObject(properties) ? Object.values(properties).filter(isObject) : []
}

/** The configuration of every relation that a call writes into a schema. */
export function writtenRelations(call: NewCall): JsonObject[] {
  if (call.operation.id !== 'createDatabase' && call.operation.id !== 'updateDatabase') return []
  return writtenProperties(call)
    .map((property) => property['relation'])
    .filter(isObject)
}

/** Every object of a filter, at any depth of `and` and `or`: conditions and groups. */
export function* conditionsIn(filter: unknown): Generator<JsonObject> {
  if (!isObject(filter)) return
  yield filter
  for (const list of [filter['and'], filter['or']]) if (Array.isArray(list)) for (const inner of list) yield* conditionsIn(inner)
}

/** The `parent` in the body of a request, if it has one. */
export function writtenParent({ body = {} }: NewCall): JsonObject | undefined {
  return isObject(body['parent']) ? body['parent'] : undefined
}

/**
 * Renames a key to the name that it has from this release on. In an older request, the newer key counts as unknown; if a request has both,
 * the newer one is refused in every version.
 */
export function renameKey({ origins }: OldRequest, object: JsonObject, from: string, to: string): void {
  if (Object.hasOwn(object, from)) origins.refuse(object, to)
  else origins.hide(object, to)
  origins.rename(object, from, to)
}

/** Like `renameKey`, for a key that older requests may write under either name. */
export function renameKeyOfEither({ origins }: OldRequest, object: JsonObject, from: string, to: string): void {
  if (!Object.hasOwn(object, from)) return
  origins.refuse(object, to)
  origins.rename(object, from, to)
}
