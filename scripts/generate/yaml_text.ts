/** Contracts as YAML, piece by piece: what two of them have in common is written once. */

import { stringify } from 'yaml'
import { isObject } from '../../server/kernel/is_object.ts'

/** Texts of parts of documents, by their JSON: contracts by date have most of them in common. */
export type YamlPieces = Map<string, string>

/** Parts of a document whose members stand for themselves, and how many levels below them these are. */
const DIVIDED: Readonly<Record<string, number>> = { paths: 1, webhooks: 1, components: 2 }

/** The same text as of the whole document at once. @param pieces what has been written so far */
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
