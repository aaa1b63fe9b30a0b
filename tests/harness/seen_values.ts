import type { RawAnswer } from './answers.ts'
import { declaredValues, isObject, limitKeywords, type Named } from '../completeness/values.ts'
import { markSeen } from './seen.ts'

/** Notes which words of enumerations and which limits of the contract a request and its answer met. */
export function markValuesOfAnswer(body: unknown): void {
  answers ??= declaredValues('answer')
  eachValue(body, 'body', (name, value) => meetWord('answer', answers, name, value))
}

/** A word counts where the request was taken, a limit where it was refused at that name for being one beyond. */
export function markValuesOfRequest(values: readonly unknown[], { status, text }: RawAnswer): void {
  requests ??= declaredValues('request')
  if (status < 400) eachValue(values, 'body', (name, value) => meetWord('request', requests, name, value))
  else if (status === 400)
    eachValue(values, 'body', (name, value) => {
      if (name === '*' || text.includes(name)) meetLimits(name, value)
    })
}

let answers: Named | undefined
let requests: Named | undefined

/** What was met is taken out, so that noting costs less and less. */
function meetWord(direction: 'request' | 'answer', named: Named | undefined, name: string, value: unknown): void {
  if (typeof value !== 'string') return
  for (const key of [name, '*']) if (named?.words.get(key)?.delete(value) === true) markSeen(`${direction} ${key}`, value)
}

function meetLimits(name: string, value: unknown): void {
  for (const key of [name, '*']) {
    const limits = requests?.limits.get(key) ?? []
    for (const limit of limits.filter(({ keyword, value: bound }) => limitKeywords[keyword](value, bound) === 1)) {
      limits.splice(limits.indexOf(limit), 1)
      markSeen(`limit ${key}`, `${limit.keyword}=${limit.value}`)
    }
  }
}

/** Calls with every value below the name of its property; entries of a list have the list's name. */
function eachValue(value: unknown, name: string, meet: (name: string, value: unknown) => void): void {
  meet(name, value)
  if (Array.isArray(value)) for (const entry of value) eachValue(entry, name, meet)
  else if (isObject(value)) for (const [key, entry] of Object.entries(value)) eachValue(entry, key, meet)
}
