import { ServiceError } from '../../kernel/errors.ts'
import type { Quota, RateLimits } from '../../kernel/quota.ts'
import { dropEndedWindows } from '../../store/rate_limit_windows.ts'
import type { Counters, Draw, RateLimitWindow } from '../../store/counters.ts'
import type { Transaction } from '../../store/database.ts'
import type { Actor } from './actor.ts'

const CLIENT: Quota = { requests: 60, seconds: 60 }
const FAILED_AUTHENTICATIONS: Quota = { requests: 100, seconds: 60 }
/**
 * The limits count attempts to sign in with a password, including successful ones: counting only failures afterwards would not slow down
 * simultaneous guesses. The limit for an account and address together keeps one address from using up the account's limit. Known devices
 * are exempt from limits that other addresses can use up.
 */
const SIGN_INS_OF_ACCOUNT_AND_ADDRESS: Quota = { requests: 10, seconds: 15 * 60 }
const SIGN_INS_OF_ACCOUNT: Quota = { requests: 60, seconds: 60 * 60 }
const SIGN_INS_OF_ADDRESS: Quota = { requests: 60, seconds: 60 }
const SIGN_INS_OF_DEVICE: Quota = { requests: 10, seconds: 15 * 60 }
/** The window of a connection's own limit. */
const OWN_LIMIT_SECONDS = 60
/** The limit in responses if rate limits are disabled. */
export const UNLIMITED: Quota = { requests: 1_000_000_000, seconds: 60 }

interface RateLimit {
  /** The name in headers and messages. */
  readonly name: string
  /** The id of the bot, member, workspace, client, address or account that it limits. */
  readonly id: string
  readonly quota: Quota
  /** The value of `rate_limit_reason` if it is exhausted. */
  readonly reason: string
  readonly message: string
}

/** A rate limit and its remaining requests. */
export interface RateLimitState extends RateLimit {
  readonly remaining: number
  /** Whole seconds until the end of the window, at least 1. */
  readonly secondsLeft: number
}

type LimitedCaller = Pick<Actor, 'userId' | 'rateLimit'>
type LimitedWorkspace = Pick<Actor, 'workspaceId'>

interface Charged {
  readonly states: readonly RateLimitState[]
  /** Set if a rate limit is exhausted. The request then does not count towards any of them. */
  readonly refusal: ServiceError | undefined
}

/** An attempt to sign in with a password. */
interface SignInAttempt {
  /** The key of the account, whether or not there is one. */
  readonly account: string
  /** The address of the caller. */
  readonly address: string
  /** The id of a browser in which the account has signed in before; undefined otherwise. */
  readonly device: string | undefined
}

/** The rate limits of requests. */
export class RateLimiter {
  readonly #counters: Counters
  readonly #limits: RateLimits | undefined

  /** @param limits if undefined, all rate limits are disabled except those of sign-in attempts */
  constructor(counters: Counters, limits: RateLimits | undefined) {
    this.#counters = counters
    this.#limits = limits
  }

  /** Counts a request of the API for its bot or member and for the workspace. */
  chargeRequest(actor: Actor): Promise<Charged> {
    const limits = this.#limits ?? { connection: UNLIMITED, workspace: UNLIMITED }
    return this.#charge([ofCaller(actor, limits), ofWorkspace(actor.workspaceId, limits)])
  }

  /**
   * The rate limits of bots, members and workspaces, without counting a request.
   * @returns undefined if rate limits are disabled
   */
  async look(limited: readonly (LimitedCaller | LimitedWorkspace)[]): Promise<RateLimitState[] | undefined> {
    const all = this.#limits
    if (!all) return undefined
    const limits = limited.map((one) => ('userId' in one ? ofCaller(one, all) : ofWorkspace(one.workspaceId, all)))
    const windows = await this.#counters.look(limits.map(drawOf))
    return limits.map((one, index) => stateOf(one, windows[index]))
  }

  /** Counts a request of an OAuth client, or of a connection that authenticates by its client id. */
  chargeClient(clientId: string): Promise<Charged> {
    return this.#charge([rateLimit('client', clientId, CLIENT, 'oauth_client_rate_limit')])
  }

  /**
   * Counts a failed authentication.
   * @param address the address of the caller
   * @throws ServiceError `rate_limited` after too many from this address
   */
  async chargeFailedAuthentication(address: string): Promise<void> {
    const message = 'Too many failed authentications from this address; retry after the time in Retry-After.'
    const { refusal } = await this.#charge([
      { ...rateLimit('address', address, FAILED_AUTHENTICATIONS, 'authentication_attempts'), message },
    ])
    if (refusal) throw refusal
  }

  /**
   * Counts an attempt to sign in with a password, before the password is checked. These limits cannot be disabled.
   * @throws ServiceError `rate_limited` after too many attempts from the device or, if it is not known, for the account or from the
   * address; the message is the same in each case, whether or not there is such an account
   */
  async chargeSignIn({ account, address, device }: SignInAttempt): Promise<void> {
    const attempts = (name: string, id: string, quota: Quota): RateLimit => ({
      ...rateLimit(`sign-in ${name}`, id, quota, 'authentication_attempts'),
      message:
        'Too many attempts to sign in. Wait a while, use a browser in which you have signed in before, or ask the operator of this service for a sign-in link.',
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

  async #charge(limits: readonly RateLimit[]): Promise<Charged> {
    if (this.#limits) return this.#count(limits)
    return { states: limits.map((one) => stateOf({ ...one, quota: UNLIMITED }, undefined)), refusal: undefined }
  }

  async #count(limits: readonly RateLimit[]): Promise<Charged> {
    const { charged, windows } = await this.#counters.draw(limits.map(drawOf))
    const states = limits.map((one, index) => stateOf(one, windows[index]))
    if (charged) return { states, refusal: undefined }
    const spent = states.find(({ remaining }) => remaining === 0) ?? states.at(-1)
    return { states, refusal: spent && rateLimited(spent) }
  }
}

/** The maximum difference between the clocks of processes and the database. */
const CLOCK_DIFFERENCE_MS = 3_600_000

/** Deletes windows that ended long ago. @returns the number of windows */
export function sweepWindows(db: Transaction, now: number, limit: number): Promise<number> {
  return dropEndedWindows(db, now - CLOCK_DIFFERENCE_MS, limit)
}

/** @param rateLimit the caller's own limit; undefined for the limit of all callers */
function ofCaller({ userId, rateLimit: own }: LimitedCaller, { connection }: RateLimits): RateLimit {
  const quota = own === undefined ? connection : { requests: own, seconds: OWN_LIMIT_SECONDS }
  return rateLimit('connection', userId, quota, 'public_api_request_rate_limit')
}

function ofWorkspace(workspaceId: string, { workspace }: RateLimits): RateLimit {
  return rateLimit('workspace', workspaceId, workspace, 'public_api_space_request_rate_limit')
}

function rateLimit(name: string, id: string, quota: Quota, reason: string): RateLimit {
  return {
    name,
    id,
    quota,
    reason,
    message: `The rate limit of this ${name} is exceeded; retry after the time in Retry-After.`,
  }
}

function drawOf({ name, id, quota }: RateLimit): Draw {
  return { key: `${name} ${id}`, quota: quota.requests, seconds: quota.seconds }
}

/** @param window undefined if no request has been counted */
function stateOf(rateLimit: RateLimit, window: RateLimitWindow | undefined): RateLimitState {
  const { requests, seconds } = rateLimit.quota
  const { used, endsInMs } = window ?? { used: 0, endsInMs: seconds * 1000 }
  return { ...rateLimit, remaining: Math.max(0, requests - used), secondsLeft: Math.max(1, Math.ceil(endsInMs / 1000)) }
}

function rateLimited({ message, reason, secondsLeft }: RateLimitState): ServiceError {
  return new ServiceError('rate_limited', {
    message,
    additionalData: { rate_limit_reason: reason },
    headers: { 'Retry-After': String(secondsLeft) },
  })
}
