import type { PropertyValueRequest } from '../../../client/src/index.ts'
import { findRecordId } from '../forgiving.ts'
import { ToolError } from '../tool.ts'
import type { Lookup } from './lookup.ts'
import { propertyNamed, type NamedProperty } from './properties.ts'

/** A value as a model writes it. */
export type WrittenValue = string | number | boolean | null | readonly (string | number)[]

/**
 * The forms in the API of values by name. Null empties a property.
 * @param path of the values in the input
 * @throws ToolError for a name that no property has, and a value that the property cannot have
 */
export async function valueRequests(
  lookup: Lookup,
  properties: Readonly<Record<string, { readonly type: string }>>,
  values: Readonly<Record<string, WrittenValue>>,
  path: string,
): Promise<Record<string, PropertyValueRequest>> {
  const named = Object.entries(properties).map(([name, { type }]) => ({ name, type }))
  const requests: Record<string, PropertyValueRequest> = {}
  for (const [name, value] of Object.entries(values)) {
    const property = propertyNamed(named, name, `${path}.${name}`)
    requests[property.name] = await valueRequest(lookup, property, value, `${path}.${name}`)
  }
  return requests
}

/** The name of the title property. @throws ToolError if the token may not read it */
export function titleName(properties: Readonly<Record<string, { readonly type: string }>>): string {
  const found = Object.entries(properties).find(([, { type }]) => type === 'title')
  if (found) return found[0]
  throw new ToolError('This token may not read the title, so it cannot be changed.')
}

/**
 * The form in the API of a plain value: the reverse of `shownValue`.
 * @param path of the value in the input
 * @throws ToolError for a value that the property cannot have
 */
async function valueRequest(
  lookup: Lookup,
  { name, type }: NamedProperty,
  value: WrittenValue,
  path: string,
): Promise<PropertyValueRequest> {
  switch (type) {
    case 'title':
      return { title: richTextItems(textOf(value)) }
    case 'rich_text':
      return { rich_text: richTextItems(textOf(value)) }
    case 'number':
      return { number: value === null ? null : requireNumber(value, path) }
    case 'select':
      return { select: value === null ? null : { name: textOf(value) } }
    case 'status':
      return { status: value === null ? null : { name: textOf(value) } }
    case 'multi_select':
      return { multi_select: listOf(value).map((option) => ({ name: option })) }
    case 'date':
      return { date: value === null ? null : dateOf(textOf(value)) }
    case 'people':
      return { people: (await lookup.people(listOf(value), path)).map((id) => ({ id })) }
    case 'relation':
      return { relation: await relatedRows(lookup, name, value, path) }
    case 'files':
      return { files: listOf(value).map((url) => ({ name: url.slice(0, 100), external: { url } })) }
    case 'checkbox':
      return { checkbox: requireBoolean(value, path) }
    case 'url':
      return { url: value === null ? null : textOf(value) }
    case 'email':
      return { email: value === null ? null : textOf(value) }
    case 'phone_number':
      return { phone_number: value === null ? null : textOf(value) }
    default:
      throw new ToolError(`${path}: the property ${JSON.stringify(name)} has the type ${type}, which these tools cannot write.`)
  }
}

/** A text without ids is one title, which may contain commas. */
async function relatedRows(lookup: Lookup, name: string, value: WrittenValue, path: string): Promise<{ id: string }[]> {
  const isTitle = typeof value === 'string' && value.trim() !== '' && findRecordId(value) === undefined
  const written = isTitle ? [value] : listOf(value)
  const rows: { id: string }[] = []
  for (const [index, row] of written.entries()) rows.push({ id: await lookup.relatedRow(name, row, `${path}[${index}]`) })
  return rows
}

/** Rich text without formatting, in items of at most 2,000 characters. */
export function richTextItems(text: string): { text: { content: string } }[] {
  const items = text.match(/[^]{1,2000}/g) ?? []
  return items.map((content) => ({ text: { content } }))
}

function textOf(value: WrittenValue): string {
  return value === null ? '' : Array.isArray(value) ? value.join(', ') : String(value)
}

/** Models also write lists as texts with commas. */
function listOf(value: WrittenValue): string[] {
  if (value === null) return []
  const list = Array.isArray(value) ? value.map(String) : String(value).split(',')
  return list.map((item) => item.trim()).filter((item) => item !== '')
}

export function requireNumber(value: WrittenValue, path: string): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number === 'number' && Number.isFinite(number)) return number
  throw new ToolError(`${path}: expected a number, found ${JSON.stringify(value)}.`)
}

export function requireBoolean(value: WrittenValue, path: string): boolean {
  if (value === null) return false
  const word = String(value).toLowerCase()
  if (['true', 'yes', '1'].includes(word)) return true
  if (['false', 'no', '0'].includes(word)) return false
  throw new ToolError(`${path}: expected true or false, found ${JSON.stringify(value)}.`)
}

function dateOf(text: string): { start: string; end?: string } {
  const [start = '', end] = text.split('/')
  return { start: start.trim(), ...(end !== undefined && { end: end.trim() }) }
}
