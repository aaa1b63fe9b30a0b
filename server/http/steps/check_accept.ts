import { requireAcceptable } from '../accept_header.ts'
import type { Step } from './step.ts'

/** Refuses an Accept header that excludes every media type of the operation. */
export const checkAccept: Step = async ({ request }, { operation }, next) => {
  requireAcceptable(operation, request)
  return next()
}
