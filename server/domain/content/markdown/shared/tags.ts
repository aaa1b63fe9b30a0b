import { canonicalId } from '../../../../kernel/ids.ts'

/** Attributes by name, unescaped. */
export type Attributes = ReadonlyMap<string, string>

export interface Tag {
  readonly name: string
  readonly attributes: Attributes
  readonly form: 'open' | 'close' | 'empty'
}

const ENTITIES: Readonly<Record<string, string>> = { '&quot;': '"', '&amp;': '&', '&lt;': '<', '&gt;': '>' }
const CHARACTERS: Readonly<Record<string, string>> = {
  '"': '&quot;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\n': ' ',
  '\r': ' ',
}

/** Escapes the value of an attribute, for use between double quotes. Line breaks become spaces. */
export function escapeAttribute(value: string): string {
  return /["&<>\n\r]/.test(value) ? value.replace(/["&<>\n\r]/g, (character) => CHARACTERS[character] ?? character) : value
}

function unescapeAttribute(value: string): string {
  return value.includes('&') ? value.replace(/&(?:quot|amp|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity) : value
}

/** ` name="value"` for each defined value, in the given order. */
export function writeAttributes(values: Readonly<Record<string, string | undefined>>): string {
  let written = ''
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) written += ` ${name}="${escapeAttribute(value)}"`
  }
  return written
}

const TAG = /^<(\/?)([a-z][a-z_-]*)((?:\s+[A-Za-z_-]+="[^"]*")*)\s*(\/?)>$/
const ATTRIBUTE = /(?<![A-Za-z_-])([A-Za-z_-]+)="([^"]*)"/g

/** The maximum length of a tag. It bounds the cost of text that only looks like a tag. */
export const TAG_LENGTH_MAX = 5_000

/** Parses a text that is a single tag from `<` to `>`; undefined if it is not. */
export function parseTag(text: string): Tag | undefined {
  if (text.length > TAG_LENGTH_MAX) return undefined
  const [, slash, name, attributes = '', end] = TAG.exec(text) ?? []
  if (name === undefined || (slash && end)) return undefined
  return { name, attributes: parseAttributes(attributes), form: slash ? 'close' : end ? 'empty' : 'open' }
}

/** Parses attributes such as `color="red" toggle="true"`. */
export function parseAttributes(text: string): Attributes {
  const attributes = new Map<string, string>()
  if (text === '') return attributes
  for (const [, name = '', value = ''] of text.matchAll(ATTRIBUTE)) attributes.set(name, unescapeAttribute(value))
  return attributes
}

const ID = /(?<![0-9a-f])([0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

/**
 * The id in the address of a record: at the end of its path, or after `#` for a block of a page. A bare id and `user://<id>` are
 * accepted too. The host is ignored, because a service may have several addresses.
 */
export function idOfAddress(address: string | undefined): string | undefined {
  if (address === undefined) return undefined
  const [path = '', fragment] = address.split('#', 2)
  const id = ID.exec(fragment ?? path.split('?', 1)[0] ?? '')?.[1]
  return id === undefined ? undefined : canonicalId(id)
}
