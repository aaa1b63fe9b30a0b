/** Finds unknown error codes in texts for readers: descriptions and guides. */

import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { distance } from 'fastest-levenshtein'
import { errorCodeTables } from '../generate/error_codes.ts'
import type { Document } from '../generate/document.ts'
import { nameOf, type ContractFiles } from '../generate/files.ts'
import { didYouMean } from '../../spec/rules/support/did_you_mean.js'
import { isObject } from '../../server/kernel/is_object.ts'
import type { Problem } from './problem.ts'

/** A code after a status: "404 `a`, `b`", "| 404 | `a` |", "**404** `a` or `b`". */
const AFTER_STATUS = /(?<![\d.,-])[45]\d\d\**(?:\s*\|)?\s+(`[a-z_]+`(?:(?:,\s+|\s+or\s+|,\s+or\s+|\s+and\s+)`[a-z_]+`)*)/g
const WORD = /`([a-z]+(?:_[a-z]+)+)`/g
const CODE = /`([a-z_]+)`/g
/** Maximum edit distance of a misspelled code. */
const SLIP_MAX = 2

/**
 * Unknown error codes: words after a status, words that end in `_error`, and misspelled codes. Names that the contract uses for something
 * else only count after a status.
 */
export async function unknownErrorCodes(root: string, files: ContractFiles, document: Document): Promise<Problem[]> {
  const { api, oauth } = errorCodeTables(document)
  const codes = new Set([...api, ...oauth].map(({ code }) => code))
  if (codes.size === 0) return []
  const names = namesIn(document)
  const isSlip = (word: string): boolean =>
    !codes.has(word) &&
    !names.has(word) &&
    (word.endsWith('_error') || [...codes].some((code) => distance(word, code) <= SLIP_MAX))
  const texts = [...(await files.sources()).filter(({ absoluteRef }) => absoluteRef.endsWith('.yaml')), ...(await guides(root))]
  return texts.flatMap(({ absoluteRef, body }) => {
    const after = [...body.matchAll(AFTER_STATUS)].flatMap(({ 0: whole, 1: list = '', index }) =>
      [...list.matchAll(CODE)]
        .filter(([, word = '']) => !codes.has(word))
        .map(({ 1: word = '', index: inside }) => ({ word, at: index + whole.length - list.length + inside })),
    )
    const slips = [...body.matchAll(WORD)]
      .filter(([, word = '']) => isSlip(word))
      .map(({ 1: word = '', index }) => ({ word, at: index }))
    const found = new Map([...after, ...slips].map((one) => [one.at, one]))
    return [...found.values()].map(({ word, at }): Problem => {
      const message = `The contract has no error code \`${word}\`${didYouMean(word, codes)}`
      return {
        tool: 'prose',
        rule: 'error-codes',
        severity: 'error',
        message,
        file: nameOf(absoluteRef),
        ...locationIn(body, at),
        location: '',
      }
    })
  })
}

async function guides(root: string): Promise<{ absoluteRef: string; body: string }[]> {
  const folder = join(dirname(root), 'guides')
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.md')).toSorted()
  return Promise.all(
    names.map(async (name) => ({ absoluteRef: join(folder, name), body: await readFile(join(folder, name), 'utf8') })),
  )
}

/** Names of properties and values of the contract. */
function namesIn(document: Document): ReadonlySet<string> {
  const names = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value === 'string' && /^[a-z_]+$/.test(value)) names.add(value)
    if (typeof value !== 'object' || value === null) return
    for (const [key, item] of Object.entries(value)) {
      if (isObject(value)) names.add(key)
      visit(item)
    }
  }
  visit({ ...document, info: {} })
  return names
}

function locationIn(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}
