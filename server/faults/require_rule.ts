import { errorCodes, oauthErrorCodes, operationErrorCodes } from '../../generated/error_codes.ts'
import { operations, releaseDates, type Operation, type OperationId } from '../../generated/operations.ts'
import type { FaultRule } from './fault_rule.ts'

const known = (words: Readonly<Record<string, unknown>>, word: string): boolean => Object.hasOwn(words, word)

/** The operations of a rule; undefined for all. */
export function operationsOfRule({ operation }: FaultRule): readonly string[] | undefined {
  if (operation === undefined) return undefined
  return typeof operation === 'string' ? [operation] : operation
}

/** Whether the contract lets an operation return an error. */
export function canReturn({ id }: Operation, code: string): boolean {
  const codes: readonly string[] = operationErrorCodes[id as OperationId]
  return codes.includes(code)
}

/** A rule that the contract does not allow, or that has no effect. */
export class RuleError extends TypeError {
  override readonly name = 'RuleError'
  /** The path of the invalid part of the rule, such as `code` or `operation[1]`. */
  readonly place: string
  /** Completes "should be …". */
  readonly expectation: string
  readonly value: unknown

  constructor(place: string, expectation: string, value: unknown) {
    super(`${place} should be ${expectation}, instead was ${JSON.stringify(value)}.`)
    this.place = place
    this.expectation = expectation
    this.value = value
  }
}

/** @throws RuleError that names the invalid part */
export function requireRule(rule: FaultRule): void {
  const { operation, code } = rule
  const ids: readonly string[] = operationsOfRule(rule) ?? []
  for (const [index, id] of ids.entries())
    if (!known(operations, id))
      throw new RuleError(typeof operation === 'string' ? 'operation' : `operation[${index}]`, 'an operation of the contract', id)
  for (const id of ids) requireReturnable(id as OperationId, code)
  if (ids.length === 0 && code !== undefined && !known(errorCodes, code) && !known(oauthErrorCodes, code))
    throw new RuleError('code', 'an error of the contract', code)
  for (const name of ['every', 'next', 'after', 'delay', 'jitter', 'cut', 'retryAfter'] as const) requireNumber(rule, name)
  if (rule.sunset !== undefined && !releaseDates.includes(rule.sunset))
    throw new RuleError('sunset', `one of ${releaseDates.join(', ')}`, rule.sunset)
  if (rule.retryAfter !== undefined && !saysWhen(code))
    throw new RuleError('retryAfter', 'omitted: responses with this error have no Retry-After', rule.retryAfter)
  const { delay, jitter, drop, cut, sunset } = rule
  if ([delay, jitter, code, drop, cut, sunset].every((effect) => effect === undefined))
    throw new RuleError('code', 'defined, or one of delay, jitter, drop, cut, sunset', undefined)
}

/** Whether a response with this error has `Retry-After`. */
export function saysWhen(code: string | undefined): boolean {
  const codes: Readonly<Record<string, { readonly retry: string }>> = { ...oauthErrorCodes, ...errorCodes }
  return code !== undefined && codes[code]?.retry === 'always'
}

function requireReturnable(id: OperationId, code: string | undefined): void {
  if (code !== undefined && !canReturn(operations[id], code)) throw new RuleError('code', `an error that ${id} can return`, code)
}

const LEAST = { every: 1, next: 1, after: 0, delay: 0, jitter: 0, cut: 0, retryAfter: 0 } as const

function requireNumber(rule: FaultRule, name: keyof typeof LEAST): void {
  const value = rule[name]
  if (value === undefined || (Number.isSafeInteger(value) && value >= LEAST[name])) return
  throw new RuleError(name, `a whole number from ${LEAST[name]}`, value)
}
