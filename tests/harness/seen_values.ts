import type { RawResponse } from './responses.ts'
import {
  declaredValues,
  isObject,
  isWord,
  limitKeywords,
  nameInErrors,
  nameOfKeys,
  type Direction,
  type Named,
} from '../completeness/values.ts'
import { markSeen } from './seen.ts'

/** Records the values of enumerations in a response. */
export function markValuesOfResponse(body: unknown): void {
  responses ??= declaredValues('response')
  eachValue(body, 'body', (name, value) => markWord('response', responses, name, value))
}

/** Records which values of enumerations a delivered event has. */
export function markValuesOfEvent(body: unknown): void {
  events ??= declaredValues('event')
  eachValue(body, 'body', (name, value) => markWord('event', events, name, value))
}

/** Records which values of enumerations an accepted request has, or which limits a refused one exceeds by one at a key in the error. */
export function markValuesOfRequest(values: readonly unknown[], { status, text }: RawResponse): void {
  requests ??= declaredValues('request')
  if (status < 400) eachValue(values, 'body', (name, value) => markWord('request', requests, name, value))
  else if (status === 400)
    eachValue(values, 'body', (name, value) => {
      if (name === '*' || text.includes(nameInErrors(name))) markLimits(name, value)
    })
}

/**
 * Like `markValuesOfRequest`, for the consent page, whose values are in the URL and in a form. A refusal is a page without the name of a
 * parameter, or a redirect to the connection.
 * @param target the path and query
 */
export function markValuesOfForm(target: string, form: string | Buffer = '', { status, headers }: RawResponse): void {
  requests ??= declaredValues('request')
  const values = [target.split('?', 2)[1] ?? '', String(form)].map(fieldsOf)
  const isRefused = [400, 403].includes(status) || /[?&]error=(?!access_denied)/.test(headers.location ?? '')
  if (isRefused) eachValue(values, 'body', markLimits)
  else if (status < 400) eachValue(values, 'body', (name, value) => markWord('request', requests, name, value))
}

/** The short text fields of a form with files, by name. */
export function textParts(form: Buffer): Readonly<Record<string, string>> {
  const head = form.subarray(0, 4096).toString('latin1') + form.subarray(-4096).toString('latin1')
  const texts = head.matchAll(/Content-Disposition: form-data; name="(\w+)"\r\n\r\n([^\r]*)\r\n/g)
  return Object.fromEntries(Array.from(texts, ([, name = '', text = '']) => [name, text]))
}

/** The fields of a query or form. A repeated field becomes a list, as in the contract, without empty values. */
function fieldsOf(text: string): Readonly<Record<string, string | string[]>> {
  const form = new URLSearchParams(text)
  return Object.fromEntries(
    Array.from(form.keys(), (name) => {
      const all = form.getAll(name)
      const values = all.length > 1 ? all.filter((value) => value !== '') : all
      return [name, values.length === 1 && values[0] !== undefined ? values[0] : values]
    }),
  )
}

let responses: Named | undefined
let events: Named | undefined
let requests: Named | undefined

/** Removes seen values, so that recording gets cheaper over time. */
function markWord(direction: Direction, named: Named | undefined, name: string, value: unknown): void {
  if (!isWord(value)) return
  for (const key of [name, '*']) if (named?.words.get(key)?.delete(value) === true) markSeen(`${direction} ${key}`, String(value))
}

function markLimits(name: string, value: unknown): void {
  for (const key of [name, '*']) {
    const limits = requests?.limits.get(key) ?? []
    for (const limit of limits.filter(({ keyword, value: bound }) => limitKeywords[keyword](value, bound) === 1)) {
      limits.splice(limits.indexOf(limit), 1)
      markSeen(`limit ${key}`, `${limit.keyword}=${limit.value}`)
    }
  }
}

/** Calls `visit` with every value and its key, and with every key; items of a list have the key of the list. */
function eachValue(value: unknown, name: string, visit: (name: string, value: unknown) => void): void {
  visit(name, value)
  if (Array.isArray(value)) for (const entry of value) eachValue(entry, name, visit)
  else if (isObject(value))
    for (const [key, entry] of Object.entries(value)) {
      visit(nameOfKeys(name), key)
      eachValue(entry, key, visit)
    }
}
