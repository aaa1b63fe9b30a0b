import type { Actor } from '../../domain/shared/actor.ts'
import type { Budgets } from '../../domain/shared/budgets.ts'
import { showBudgets } from '../charge_request.ts'
import type { Step } from './step.ts'

/** Charges a request to the rate limits of its caller, and sets the `RateLimit` headers. */
export function chargeCaller(budgets: Budgets): Step<Actor> {
  return async ({ response, caller }, _call, next) => {
    const { states, refusal } = await budgets.chargeRequest(caller)
    showBudgets(response, states)
    if (refusal) throw refusal
    return next()
  }
}
