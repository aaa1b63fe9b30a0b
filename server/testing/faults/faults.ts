import { setTimeout as pause } from 'node:timers/promises'
import type { Request, Response } from '../../http/interceptor.ts'
import { errorExamples, oauthErrorExamples } from '../../../generated/error_examples.ts'
import type { ErrorCodeName, OAuthErrorCodeName } from '../../../generated/error_codes.ts'
import { releaseDates, type Operation, type OperationId } from '../../../generated/operations.ts'
import { invalidClient } from '../../domain/oauth/client.ts'
import { parseVersion } from '../../http/parse_version.ts'
import { ServiceError } from '../../kernel/errors.ts'
import { OAuthError } from '../../kernel/oauth_error.ts'
import { breakResponse } from './broken_response.ts'
import type { FaultCondition, FaultRule } from './fault_rule.ts'
import { preferredRule } from './preferred_rule.ts'
import { mayAnswer, operationsOf, requireRule, saysWhen } from './require_rule.ts'

/** A rule that is in force. */
export interface Fault {
  readonly rule: FaultRule
  /** How often it has acted. */
  readonly acted: number
  /** From here on it acts no more. */
  remove(): void
}

/** Errors come where the service itself finds them: before credentials are looked at, or after token, version and budget. */
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

  /** Counts a request, if it is one that the rule is about. @returns whether the rule acts on it */
  takes(operation: Operation, request: Request): boolean {
    const { every = 1, after = 0, next = Infinity } = this.rule
    if (this.acted >= next || !isMeant(this.rule, operation, request)) return false
    this.#met += 1
    if (this.#met <= after || (this.#met - after) % every !== 0) return false
    this.acted += 1
    return true
  }
}

/** What goes wrong on a test server, by rules. They act in the order in which they were added, until one ends the request. */
export class Faults {
  #active: ActiveFault[] = []
  readonly #heedsPrefer: boolean

  /** @param heedsPrefer whether requests may ask for faults by their `Prefer` header */
  constructor(heedsPrefer = false) {
    this.#heedsPrefer = heedsPrefer
  }

  /**
   * Adds a rule.
   * @throws RuleError for one that the contract does not allow, or that does nothing
   */
  add<Id extends OperationId = OperationId>(rule: FaultRule<Id>): Fault {
    requireRule(rule)
    const fault = new ActiveFault(rule, (gone) => (this.#active = this.#active.filter((one) => one !== gone)))
    this.#active.push(fault)
    return fault
  }

  /** The budget is used up: `rate_limited`, for all requests unless told otherwise. */
  rateLimited(rule: FaultCondition & Pick<FaultRule, 'retryAfter'> = {}): Fault {
    return this.add({ ...rule, code: 'rate_limited' })
  }

  /** The service has too much to do: `service_overload`. */
  overloaded(rule: FaultCondition & Pick<FaultRule, 'retryAfter'> = {}): Fault {
    return this.add({ ...rule, code: 'service_overload' })
  }

  /** Every third request finds the service unavailable, and of the others every fifth loses its connection. Both may be repeated. */
  flaky(rule: FaultCondition = {}): readonly Fault[] {
    return [this.add({ ...rule, every: 3, code: 'service_unavailable' }), this.add({ ...rule, every: 5, drop: 'before' })]
  }

  /** Answers come late: by half a second to a whole one, unless told otherwise. */
  slow({ delay = 500, jitter = 500, ...rule }: FaultCondition & Pick<FaultRule, 'delay' | 'jitter'> = {}): Fault {
    return this.add({ ...rule, delay, jitter })
  }

  /** Versions before this one have ended. */
  versionSunset(sunset: NonNullable<FaultRule['sunset']>, rule: FaultCondition = {}): Fault {
    return this.add({ ...rule, sunset })
  }

  /** The rules in force, in the order in which they act. */
  get active(): readonly Fault[] {
    return this.#active
  }

  /** Takes all rules away. */
  clear(): void {
    this.#active = []
  }

  /** Does to a request what the rules say. @param note hears of each rule that acts @throws the error that is the answer */
  async act(stage: FaultStage, { operation, request, response }: FaultyRequest, note: (rule: FaultRule) => void): Promise<void> {
    for (const fault of [...this.#active]) {
      if (stageOf(fault.rule, operation) !== stage || !fault.takes(operation, request)) continue
      note(fault.rule)
      await actOn(fault.rule, operation, request, response)
    }
    const header = this.#heedsPrefer ? request.headers['prefer'] : undefined
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

function isMeant(rule: FaultRule, operation: Operation, { headers }: Request): boolean {
  const { token, headers: wanted = {}, code, sunset } = rule
  if (!(operationsOf(rule) ?? [operation.id]).includes(operation.id)) return false
  if (code !== undefined && !mayAnswer(operation, code)) return false
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
    throw new ServiceError('service_unavailable', { message: 'The connection was broken by a rule.' })
  }
  if (drop === 'after') breakResponse(response, -1)
  else if (cut !== undefined) breakResponse(response, cut)
}

/** Nobody waits any longer once the caller has gone. */
async function pauseWhileOpen(response: Response, milliseconds: number): Promise<void> {
  const closing = new AbortController()
  response.once('close', () => closing.abort())
  await pause(milliseconds, undefined, { signal: closing.signal })
}

/** @throws ServiceError as of a service that has never heard of the version */
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
