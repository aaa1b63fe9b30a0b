import { errorCodes, oauthErrorCodes } from '../../../generated/error_codes.ts'
import { operations, releaseDates, type Operation } from '../../../generated/operations.ts'
import type { FaultRule } from './fault_rule.ts'

const known = (words: Readonly<Record<string, unknown>>, word: string): boolean => Object.hasOwn(words, word)

/** The operations of a rule; undefined for all. */
export function operationsOf({ operation }: FaultRule): readonly string[] | undefined {
  if (operation === undefined) return undefined
  return typeof operation === 'string' ? [operation] : operation
}

/** Whether the contract lets an operation answer with an error. */
export function mayAnswer({ credentials, statuses }: Operation, code: string): boolean {
  if (credentials === 'client') return known(oauthErrorCodes, code)
  return known(errorCodes, code) && statuses.includes(errorCodes[code as keyof typeof errorCodes].status)
}

/** @throws TypeError for a rule that the contract does not allow, or that does nothing, naming the place */
export function requireRule(rule: FaultRule): void {
  const named = operationsOf(rule)
  for (const id of named ?? []) requireOperation(id, rule.code)
  if (named === undefined && rule.code !== undefined && !known(errorCodes, rule.code) && !known(oauthErrorCodes, rule.code))
    throw new TypeError(`code: the contract has no error "${rule.code}".`)
  for (const name of ['every', 'next', 'after', 'delay', 'jitter', 'cut', 'retryAfter'] as const) requireNumber(rule, name)
  if (rule.sunset !== undefined && !releaseDates.includes(rule.sunset))
    throw new TypeError(`sunset: should be one of ${releaseDates.join(', ')}, instead was "${String(rule.sunset)}".`)
  if (rule.retryAfter !== undefined && !saysWhen(rule.code))
    throw new TypeError(`retryAfter: the error ${rule.code ?? '(none)'} does not say when to come again.`)
  const { delay, jitter, code, drop, cut, sunset } = rule
  if ([delay, jitter, code, drop, cut, sunset].every((effect) => effect === undefined))
    throw new TypeError('The rule does nothing: it has neither delay, jitter, code, drop, cut nor sunset.')
}

/** Whether an answer with this error has `Retry-After`. */
export function saysWhen(code: string | undefined): boolean {
  const codes: Readonly<Record<string, { readonly retry: string }>> = { ...oauthErrorCodes, ...errorCodes }
  return code !== undefined && codes[code]?.retry === 'always'
}

function requireOperation(id: string, code: string | undefined): void {
  if (!known(operations, id)) throw new TypeError(`operation: the contract has no "${id}".`)
  if (code !== undefined && !mayAnswer(operations[id as keyof typeof operations], code))
    throw new TypeError(`code: the contract does not let ${id} answer with "${code}".`)
}

const LEAST = { every: 1, next: 1, after: 0, delay: 0, jitter: 0, cut: 0, retryAfter: 0 } as const

function requireNumber(rule: FaultRule, name: keyof typeof LEAST): void {
  const value = rule[name]
  if (value === undefined || (Number.isSafeInteger(value) && value >= LEAST[name])) return
  throw new TypeError(`${name}: should be a whole number from ${LEAST[name]}, instead was ${String(value)}.`)
}
