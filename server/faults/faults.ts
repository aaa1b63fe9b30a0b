import { setTimeout as pause } from 'node:timers/promises'
import type { Request, Response } from '../http/interceptor.ts'
import { errorExamples, oauthErrorExamples } from '../../generated/error_examples.ts'
import type { ErrorCodeName, OAuthErrorCodeName } from '../../generated/error_codes.ts'
import { releaseDates, type Operation, type OperationId } from '../../generated/operations.ts'
import { invalidClient } from '../domain/people/index.ts'
import { parseVersion } from '../http/parse_version.ts'
import { ServiceError } from '../kernel/errors.ts'
import { OAuthError } from '../kernel/oauth_error.ts'
import { breakResponse } from './broken_response.ts'
import type { FaultCondition, FaultRule } from './fault_rule.ts'
import { preferredRule } from './preferred_rule.ts'
import { canReturn, operationsOfRule, requireRule, saysWhen } from './require_rule.ts'

export interface Fault {
  readonly rule: FaultRule
  /** The number of times the rule has acted. */
  readonly acted: number
  /** Removes the rule. */
  remove(): void
}

/**
 * The step of a request at which a rule acts: before the credentials are checked, or after token, version and rate limit. Errors of the
 * service come at the same steps.
 */
type FaultStage = 'route' | 'admission'

interface FaultyRequest {
  readonly operation: Operation
  readonly request: Request
  readonly response: Response
}

class ActiveFault implements Fault {
  readonly rule: FaultRule
  readonly remove: () => void
  acted = 0
  #met = 0

  constructor(rule: FaultRule, remove: (fault: ActiveFault) => void) {
    this.rule = rule
    this.remove = () => remove(this)
  }

  /** Counts a request if the rule applies to it. @returns whether the rule acts on it */
  takes(operation: Operation, request: Request): boolean {
    const { every = 1, after = 0, next = Infinity } = this.rule
    if (this.acted >= next || !isTarget(this.rule, operation, request)) return false
    this.#met += 1
    if (this.#met <= after || (this.#met - after) % every !== 0) return false
    this.acted += 1
    return true
  }
}

/** The fault rules of a test server. They act in the order in which they were added, until one ends the request. */
export class Faults {
  #active: ActiveFault[] = []
  readonly takesPrefer: boolean

  /** @param takesPrefer whether requests may inject faults by a `Prefer` header */
  constructor(takesPrefer = false) {
    this.takesPrefer = takesPrefer
  }

  /**
   * Adds a rule.
   * @throws RuleError for a rule that the contract does not allow, or that has no effect
   */
  add<Id extends OperationId = OperationId>(rule: FaultRule<Id>): Fault {
    requireRule(rule)
    const fault = new ActiveFault(rule, (gone) => (this.#active = this.#active.filter((one) => one !== gone)))
    this.#active.push(fault)
    return fault
  }

  /** Responds with `rate_limited`. */
  rateLimited(rule: FaultCondition & Pick<FaultRule, 'retryAfter'> = {}): Fault {
    return this.add({ ...rule, code: 'rate_limited' })
  }

  /** Responds with `service_overload`. */
  overloaded(rule: FaultCondition & Pick<FaultRule, 'retryAfter'> = {}): Fault {
    return this.add({ ...rule, code: 'service_overload' })
  }

  /**
   * Responds to every third request with `service_unavailable`, and breaks the connection of every fifth of the others. Both can be
   * retried.
   */
  flaky(rule: FaultCondition = {}): readonly Fault[] {
    return [this.add({ ...rule, every: 3, code: 'service_unavailable' }), this.add({ ...rule, every: 5, drop: 'before' })]
  }

  /** Delays responses, by default by half a second to one second. */
  slow({ delay = 500, jitter = 500, ...rule }: FaultCondition & Pick<FaultRule, 'delay' | 'jitter'> = {}): Fault {
    return this.add({ ...rule, delay, jitter })
  }

  /** Refuses versions older than this one. */
  versionSunset(sunset: NonNullable<FaultRule['sunset']>, rule: FaultCondition = {}): Fault {
    return this.add({ ...rule, sunset })
  }

  /** The active rules, in the order in which they act. */
  get active(): readonly Fault[] {
    return this.#active
  }

  /** Removes all rules. */
  clear(): void {
    this.#active = []
  }

  /** Applies the rules to a request. @param note called with each rule that acts @throws the error to return */
  async act(stage: FaultStage, { operation, request, response }: FaultyRequest, note: (rule: FaultRule) => void): Promise<void> {
    for (const fault of [...this.#active]) {
      if (stageOf(fault.rule, operation) !== stage || !fault.takes(operation, request)) continue
      note(fault.rule)
      await actOn(fault.rule, operation, request, response)
    }
    const header = this.takesPrefer ? request.headers['prefer'] : undefined
    if (typeof header !== 'string') return
    const rule = preferredRule(header, operation)
    if (stageOf(rule, operation) !== stage) return
    note(rule)
    await actOn(rule, operation, request, response)
  }
}

function stageOf({ code }: FaultRule, { credentials }: Operation): FaultStage {
  const isOfApi = code !== undefined && code in errorExamples && (credentials === 'bearer' || credentials === 'connection')
  return isOfApi && errorExamples[code as ErrorCodeName].repeatsVersion ? 'admission' : 'route'
}

function isTarget(rule: FaultRule, operation: Operation, { headers }: Request): boolean {
  const { token, headers: wanted = {}, code, sunset } = rule
  if (!(operationsOfRule(rule) ?? [operation.id]).includes(operation.id)) return false
  if (code !== undefined && !canReturn(operation, code)) return false
  if (sunset !== undefined && !releaseDates.some((date) => date < sunset && date === headers['service-version'])) return false
  if (token !== undefined && headers.authorization !== `Bearer ${token}`) return false
  return Object.entries(wanted).every(([name, value]) => {
    const sent = [headers[name.toLowerCase()] ?? ''].flat().join(', ')
    return typeof value === 'string' ? sent === value : value.test(sent)
  })
}

async function actOn(rule: FaultRule, operation: Operation, request: Request, response: Response): Promise<void> {
  const { delay = 0, jitter = 0, drop, cut, sunset } = rule
  const milliseconds = delay + Math.round(jitter * Math.random())
  if (milliseconds > 0) await pauseWhileOpen(response, milliseconds)
  if (sunset !== undefined) refuseVersion(sunset, request)
  if (rule.code !== undefined) throw failureOf(rule, rule.code, operation)
  if (drop === 'before') {
    request.socket.destroy()
    throw new ServiceError('service_unavailable', { message: 'A fault rule closed the connection.' })
  }
  if (drop === 'after') breakResponse(response, -1)
  else if (cut !== undefined) breakResponse(response, cut)
}

/**
 * Waits, unless the connection is closed.
 * @throws AbortError when it is closed
 */
async function pauseWhileOpen(response: Response, milliseconds: number): Promise<void> {
  const closing = new AbortController()
  response.once('close', () => closing.abort())
  await pause(milliseconds, undefined, { signal: closing.signal })
}

/** @throws ServiceError the error for an unknown version, if the version of the request is older than `sunset` */
function refuseVersion(sunset: string, request: Request): void {
  const header = String(request.headers['service-version'])
  parseVersion(
    header,
    'Service-Version',
    releaseDates.filter((date) => date >= sunset),
  )
}

function failureOf({ message, retryAfter = 1 }: FaultRule, code: string, { credentials }: Operation): Error {
  const headers: Record<string, string> = saysWhen(code) ? { 'Retry-After': String(retryAfter) } : {}
  if (credentials === 'client') {
    const example = oauthErrorExamples[code as OAuthErrorCodeName]
    const challenge = code === 'invalid_client' ? invalidClient().headers : {}
    const all = { ...headers, ...challenge }
    return new OAuthError(code as OAuthErrorCodeName, { ...example, ...(message !== undefined && { message }), headers: all })
  }
  const example = errorExamples[code as ErrorCodeName]
  return new ServiceError(code as ErrorCodeName, { ...example, ...(message !== undefined && { message }), headers })
}
