/** Contracts as YAML, piece by piece: what two of them have in common is written once. */

import { stringify } from 'yaml'
import { isObject } from '../../server/kernel/is_object.ts'
import type { Kept } from './kept.ts'

/** Parts of a document whose members stand for themselves, and how many levels below them these are. */
const DIVIDED: Readonly<Record<string, number>> = { paths: 1, webhooks: 1, components: 2 }

/** The same text as of the whole document at once. @param pieces what has been written so far */
export function yamlText(document: object, pieces: Kept<string>): string {
  return Object.entries(document)
    .map(([key, value]) => textOf(key, value, DIVIDED[key] ?? 0, pieces))
    .join('')
}

function textOf(key: string, value: unknown, levels: number, pieces: Kept<string>): string {
  const member = { [key]: value }
  if (levels === 0 || !isObject(value) || Object.keys(value).length === 0)
    return pieces.of(JSON.stringify(member), () =>
      stringify(member, { aliasDuplicateObjects: false, lineWidth: 0, compat: 'yaml-1.1' }),
    )
  const members = Object.entries(value).map(([name, item]) => textOf(name, item, levels - 1, pieces))
  const head = stringify({ [key]: null }, { compat: 'yaml-1.1' }).replace(/ null\n$/, '\n')
  return head + members.join('').replaceAll(/^(?=.)/gm, '  ')
}
