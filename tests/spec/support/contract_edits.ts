/** Finds and changes parts of the contract by names that callers know. */

import type { Document, OperationObject, ParameterObject, ResponseObject, Schema } from '../../../scripts/generate/document.ts'
import { operationsOf, parametersOf, resolve } from '../../../scripts/generate/document.ts'
import type { Word } from '../../../scripts/diff/change.ts'
import { isObject } from '../../../server/kernel/is_object.ts'

export interface PlantedChange {
  title: string
  change: (document: Document) => void
  /** of the whole comparison */
  word: Word
  /** a line of the report */
  line: string
}

export function operation(document: Document, id: string): OperationObject {
  const found = operationsOf(document).find((placed) => placed.operation.operationId === id)
  if (found === undefined) throw new Error(`No operation ${id}`)
  return found.operation
}

export function schema(document: Document, name: string): Schema {
  const found = document.components.schemas?.[name]
  if (found === undefined) throw new Error(`No schema ${name}`)
  return found
}

export function property(document: Document, owner: string, name: string): Schema {
  const found = schema(document, owner).properties?.[name]
  if (!isObject(found)) throw new Error(`No property ${owner}.${name}`)
  return found
}

export function parameter(document: Document, id: string, name: string): ParameterObject {
  const placed = operationsOf(document).find((each) => each.operation.operationId === id)
  const found = placed && parametersOf(document, placed).find((each) => each.name === name)
  if (found === undefined) throw new Error(`No parameter ${name} of ${id}`)
  return found
}

export function body(document: Document, id: string) {
  const found = operation(document, id).requestBody
  if (found === undefined || '$ref' in found) throw new Error(`No body of ${id}`)
  return found
}

export function response(document: Document, id: string, status: string): ResponseObject {
  const found = operation(document, id).responses[status]
  if (found === undefined) throw new Error(`No response ${status} of ${id}`)
  return resolve<ResponseObject>(document, found)
}

/** Adds a kind to a tagged union: a copy of an existing one. */
export function addKind(document: Document, union: string, like: string, tag: string): void {
  const copy = structuredClone(schema(document, like))
  const name = `Planted${like}`
  if ('x-payload-key' in copy) copy['x-payload-key'] = tag
  for (const key of ['type', 'code']) if (isObject(copy.properties?.[key])) copy.properties[key] = { type: 'string', const: tag }
  Object.assign(document.components.schemas ?? {}, { [name]: copy })
  const ref = `#/components/schemas/${name}`
  schema(document, union).oneOf?.push({ $ref: ref })
  Object.assign(schema(document, union).discriminator?.mapping ?? {}, { [tag]: ref })
}

export function removeKind(document: Document, union: string, variant: string): void {
  const target = schema(document, union)
  const ref = `#/components/schemas/${variant}`
  target.oneOf = (target.oneOf ?? []).filter((each) => !isObject(each) || each['$ref'] !== ref)
}
