import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Actor } from '../domain/actor.ts'
import type { Budgets, BudgetState } from '../domain/budgets.ts'
import { ServiceError } from '../kernel/errors.ts'
import { OAuthError } from '../kernel/oauth_error.ts'
import type { Response } from 'express'
import type { Peer } from './peer.ts'

/**
 * Counts a request of an authenticated caller and puts the state of its budgets on the answer.
 * @throws ServiceError `rate_limited`
 */
export async function chargeRequest(budgets: Budgets, response: Response, actor: Actor): Promise<void> {
  const { states, refusal } = await budgets.chargeRequest(actor)
  showBudgets(response, states)
  if (refusal) throw refusal
}

/**
 * Counts a request of an OAuth client. Its answers do not show the state of the budget.
 * @throws ServiceError `rate_limited`
 */
export async function chargeClient(budgets: Budgets, clientId: string): Promise<void> {
  const { refusal } = await budgets.chargeClient(clientId)
  if (refusal) throw refusal
}

/** What an answer tells of one budget. */
export type ShownBudget = Pick<BudgetState, 'name' | 'quota' | 'left' | 'secondsLeft'>

/** Puts the state of its caller's budgets on an answer. */
export function showBudgets(response: Response, states: readonly ShownBudget[]): void {
  let [policy, state] = ['', '']
  for (const { name, quota, left, secondsLeft } of states) {
    const comma = policy === '' ? '' : ', '
    policy += `${comma}"${name}";q=${quota.requests};w=${quota.seconds}`
    state += `${comma}"${name}";r=${left};t=${secondsLeft}`
  }
  response.setHeader('RateLimit-Policy', policy)
  response.setHeader('RateLimit', state)
}

/**
 * Lets an authentication pass or fail; failures count against the caller's address.
 * @throws ServiceError `rate_limited` instead of the failure when there have been too many, else what `authentication` throws
 */
export async function countingFailures<T>(budgets: Budgets, peer: Peer, authentication: Promise<T>): Promise<T> {
  try {
    return await authentication
  } catch (error) {
    const isFailure = (error instanceof ServiceError || error instanceof OAuthError) && error.status === 401
    if (isFailure) await budgets.chargeFailedAuthentication(networkOf(peer.address))
    throw error
  }
}

const IPV6_NETWORK_GROUPS = 4

/** What a caller cannot change at will: an IPv4 address, or the 64 bits of an IPv6 address that name a network. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const groups = parsed.parts.slice(0, IPV6_NETWORK_GROUPS).map((group) => group.toString(16))
  return `${groups.join(':')}::/64`
}
