/** Contracts as YAML, part by part: a part that two of them share is rendered once. */

import { stringify } from 'yaml'
import { isObject } from '../../server/kernel/is_object.ts'

/** Rendered parts of documents, by their JSON: dated contracts share most of them. */
export type YamlPieces = Map<string, string>

/** Keys whose members are rendered as separate parts, and the depth of these members. */
const DIVIDED: Readonly<Record<string, number>> = { paths: 1, webhooks: 1, components: 2 }

/**
 * The same text as rendering the whole document at once.
 * @param pieces cache of rendered parts
 */
export function yamlText(document: object, pieces: YamlPieces): string {
  return Object.entries(document)
    .map(([key, value]) => textOf(key, value, DIVIDED[key] ?? 0, pieces))
    .join('')
}

function textOf(key: string, value: unknown, levels: number, pieces: YamlPieces): string {
  const member = { [key]: value }
  if (levels === 0 || !isObject(value) || Object.keys(value).length === 0) return pieceOf(member, pieces)
  const members = Object.entries(value).map(([name, item]) => textOf(name, item, levels - 1, pieces))
  const head = stringify({ [key]: null }, { compat: 'yaml-1.1' }).replace(/ null\n$/, '\n')
  return head + members.join('').replaceAll(/^(?=.)/gm, '  ')
}

function pieceOf(member: object, pieces: YamlPieces): string {
  const json = JSON.stringify(member)
  const text = pieces.get(json) ?? stringify(member, { aliasDuplicateObjects: false, lineWidth: 0, compat: 'yaml-1.1' })
  pieces.set(json, text)
  return text
}
