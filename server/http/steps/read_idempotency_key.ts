import { idempotencyKeyOf } from '../idempotency_key.ts'
import type { Step } from './step.ts'

/** Reads the idempotency key, for handlers that deduplicate requests themselves. */
export const readIdempotencyKey: Step = async ({ request }, call, next) => {
  call.idempotencyKey = idempotencyKeyOf(call.operation, request)
  return next()
}
