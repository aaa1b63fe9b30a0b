import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { ToolError } from './tool.ts'

/** A JSON Schema, as far as forgiving input needs it. */
interface Shape {
  readonly type?: unknown
  readonly anyOf?: readonly Shape[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
}

/**
 * The schema of a tool's input. Models often send an array or object as JSON text, a number as a text, or null for an optional
 * member: these are corrected before validation.
 */
export function forgiving(schema: z.ZodObject): StandardSchemaWithJSON {
  const standard = schema['~standard']
  const shape = z.toJSONSchema(schema, { io: 'input' }) as Shape
  return { '~standard': { ...standard, validate: (value: unknown) => standard.validate(corrected(value, shape)) } }
}

/** A value as the schema expects it, if it is clear what was meant; otherwise unchanged. */
export function corrected(value: unknown, shape: Shape): unknown {
  const types = typesOf(shape)
  if (typeof value === 'string' && !types.has('string')) {
    const parsed = parsedText(value)
    if (types.has(typeOf(parsed))) return corrected(parsed, shape)
  }
  if (Array.isArray(value)) return value.map((item) => corrected(item, itemsOf(shape)))
  if (types.has('array') && !types.has(typeOf(value)) && value !== undefined && value !== null)
    return [corrected(value, itemsOf(shape))]
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      const own = shape.properties?.[key]
      if (own === undefined) return [[key, member]]
      return member === null && !typesOf(own).has('null') ? [] : [[key, corrected(member, own)]]
    }),
  )
}

function itemsOf(shape: Shape): Shape {
  return shape.items ?? shape.anyOf?.find(({ items }) => items)?.items ?? {}
}

function typesOf({ type, anyOf = [] }: Shape): ReadonlySet<unknown> {
  const types = new Set(Array.isArray(type) ? type : type === undefined ? [] : [type === 'integer' ? 'number' : type])
  for (const member of anyOf) for (const one of typesOf(member)) types.add(one)
  return types.size === 0 ? ANY : types
}

const ANY: ReadonlySet<unknown> = new Set(['string', 'number', 'boolean', 'array', 'object', 'null'])

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value
}

function parsedText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Not followed by another digit: an address may have a date or a number before the id. */
const ID = /([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})(?![0-9a-f])/gi

/** The id in an id or in the address of a record; undefined if there is none. */
export function findRecordId(text: string): string | undefined {
  const found = [...(text.split(/[?#]/, 1)[0] ?? '').matchAll(ID)].at(-1)
  return found?.slice(1).join('-').toLowerCase()
}

/**
 * The id in an id or in the address of a record.
 * @param name of the argument, for the message
 * @throws ToolError if there is none
 */
export function recordIdIn(text: string, name: string): string {
  const found = findRecordId(text)
  if (found !== undefined) return found
  throw new ToolError(
    `${name}: expected an id or the URL of a record, found ${JSON.stringify(text.slice(0, 100))}. Use search to find ids.`,
  )
}
