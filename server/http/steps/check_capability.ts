import type { Actor } from '../../domain/shared/actor.ts'
import { requireCapability } from '../../domain/shared/capability.ts'
import type { Step } from './step.ts'

/** Requires the capability of the operation. */
export const checkCapability: Step<Actor> = async ({ caller }, { operation }, next) => {
  requireCapability(caller, operation)
  return next()
}
