import { ServiceError } from '../kernel/errors.ts'
import type { Quota, RateLimits } from '../kernel/quota.ts'
import { dropEndedWindows } from '../store/budget_windows.ts'
import type { Counters, Draw, BudgetWindow } from '../store/counters.ts'
import type { Transaction } from '../store/database.ts'
import type { Actor } from './actor.ts'

const CLIENT: Quota = { requests: 60, seconds: 60 }
const FAILED_AUTHENTICATIONS: Quota = { requests: 100, seconds: 60 }
/**
 * Attempts to sign in with a password, those that succeed included: what is counted afterwards would not hinder the right guess. One
 * address cannot use up what an account takes from all; what all addresses together can use up is not asked of a known device.
 */
const SIGN_INS_OF_ACCOUNT_AND_ADDRESS: Quota = { requests: 10, seconds: 15 * 60 }
const SIGN_INS_OF_ACCOUNT: Quota = { requests: 60, seconds: 60 * 60 }
const SIGN_INS_OF_ADDRESS: Quota = { requests: 60, seconds: 60 }
const SIGN_INS_OF_DEVICE: Quota = { requests: 10, seconds: 15 * 60 }
/** A connection's own limit counts in windows of this length. */
const OWN_LIMIT_SECONDS = 60
/** What callers are told where budgets are switched off. */
export const UNLIMITED: Quota = { requests: 1_000_000_000, seconds: 60 }

interface Budget {
  /** What it is called in headers and messages. */
  readonly name: string
  /** Whose it is. */
  readonly id: string
  readonly quota: Quota
  /** What `rate_limit_reason` says when it is used up. */
  readonly reason: string
  readonly message: string
}

/** A budget, and what is left of it. */
export interface BudgetState extends Budget {
  readonly left: number
  /** Whole seconds until the window ends, at least 1. */
  readonly secondsLeft: number
}

interface Charged {
  readonly states: readonly BudgetState[]
  /** Set when a budget is used up: then the request counts against none of them. */
  readonly refusal: ServiceError | undefined
}

/** Someone who wants to sign in with a password. */
interface SignInAttempt {
  /** What names the account, whether or not there is one. */
  readonly account: string
  /** Of the caller. */
  readonly address: string
  /** The name of a browser in which the account was signed in before; undefined for any other. */
  readonly device: string | undefined
}

/** The request budgets. */
export class Budgets {
  readonly #counters: Counters
  readonly #limits: RateLimits | undefined

  /** @param limits undefined switches every budget off but those of attempts to sign in */
  constructor(counters: Counters, limits: RateLimits | undefined) {
    this.#counters = counters
    this.#limits = limits
  }

  /** Counts a request of the API: against its bot or member, and against the workspace. */
  chargeRequest(actor: Actor): Promise<Charged> {
    const { connection = UNLIMITED, workspace = UNLIMITED } = this.#limits ?? {}
    const own = actor.rateLimit === undefined ? connection : { requests: actor.rateLimit, seconds: OWN_LIMIT_SECONDS }
    return this.#charge([
      budget('connection', actor.userId, own, 'public_api_request_rate_limit'),
      budget('workspace', actor.workspaceId, workspace, 'public_api_space_request_rate_limit'),
    ])
  }

  /** Counts a request of an OAuth client, or of a connection that calls by its client id. */
  chargeClient(clientId: string): Promise<Charged> {
    return this.#charge([budget('client', clientId, CLIENT, 'oauth_client_rate_limit')])
  }

  /**
   * Counts a failed authentication.
   * @param address of the caller
   * @throws ServiceError `rate_limited` when there have been too many from this address
   */
  async chargeFailedAuthentication(address: string): Promise<void> {
    const message = 'Too many failed authentications from this address; retry after the time in Retry-After.'
    const { refusal } = await this.#charge([
      { ...budget('address', address, FAILED_AUTHENTICATIONS, 'authentication_attempts'), message },
    ])
    if (refusal) throw refusal
  }

  /**
   * Counts an attempt to sign in with a password, before anyone knows whether it is the right one. Always: guesses are no load.
   * @throws ServiceError `rate_limited` when there have been too many of this device, or, where it is not known, for this account or
   * from this address; in the same words, whichever it was and whether or not there is such an account
   */
  async chargeSignIn({ account, address, device }: SignInAttempt): Promise<void> {
    const attempts = (name: string, id: string, quota: Quota): Budget => ({
      ...budget(`sign-in ${name}`, id, quota, 'authentication_attempts'),
      message:
        'Too many attempts to sign in. Wait a while, sign in with a browser in which you have signed in before, or ask whoever runs this service for a sign-in link.',
    })
    const { refusal } = await this.#count(
      device === undefined
        ? [
            attempts('account and address', `${account} ${address}`, SIGN_INS_OF_ACCOUNT_AND_ADDRESS),
            attempts('account', account, SIGN_INS_OF_ACCOUNT),
            attempts('address', address, SIGN_INS_OF_ADDRESS),
          ]
        : [attempts('device', `${account} ${device}`, SIGN_INS_OF_DEVICE)],
    )
    if (refusal) throw refusal
  }

  async #charge(budgets: readonly Budget[]): Promise<Charged> {
    if (this.#limits) return this.#count(budgets)
    return { states: budgets.map((one) => stateOf({ ...one, quota: UNLIMITED }, undefined)), refusal: undefined }
  }

  async #count(budgets: readonly Budget[]): Promise<Charged> {
    const { charged, windows } = await this.#counters.draw(budgets.map(toDraw))
    const states = budgets.map((one, index) => stateOf(one, windows[index]))
    if (charged) return { states, refusal: undefined }
    const spent = states.find(({ left }) => left === 0) ?? states.at(-1)
    return { states, refusal: spent && rateLimited(spent) }
  }
}

/** Processes and the database may disagree about the time by so much. */
const CLOCK_DIFFERENCE_MS = 3_600_000

/** Drops windows that ended long ago. @returns how many */
export function sweepWindows(db: Transaction, now: number, limit: number): Promise<number> {
  return dropEndedWindows(db, now - CLOCK_DIFFERENCE_MS, limit)
}

function budget(name: string, id: string, quota: Quota, reason: string): Budget {
  return {
    name,
    id,
    quota,
    reason,
    message: `The request budget of this ${name} is used up; retry after the time in Retry-After.`,
  }
}

function toDraw({ name, id, quota }: Budget): Draw {
  return { key: `${name} ${id}`, quota: quota.requests, seconds: quota.seconds }
}

/** @param window undefined for a budget that nothing was ever counted against */
function stateOf(budget: Budget, window: BudgetWindow | undefined): BudgetState {
  const { requests, seconds } = budget.quota
  const { used, endsInMs } = window ?? { used: 0, endsInMs: seconds * 1000 }
  return { ...budget, left: Math.max(0, requests - used), secondsLeft: Math.max(1, Math.ceil(endsInMs / 1000)) }
}

function rateLimited({ message, reason, secondsLeft }: BudgetState): ServiceError {
  return new ServiceError('rate_limited', {
    message,
    additionalData: { rate_limit_reason: reason },
    headers: { 'Retry-After': String(secondsLeft) },
  })
}
