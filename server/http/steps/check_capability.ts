import { requireCapability, type Actor } from '../../domain/shared/index.ts'
import type { Step } from './step.ts'

export const checkCapability: Step<Actor> = async ({ caller }, { operation }, next) => {
  requireCapability(caller, operation)
  return next()
}
