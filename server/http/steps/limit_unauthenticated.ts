import type { Admission } from '../admission.ts'
import type { Step } from './step.ts'

/** Limits the simultaneous requests of callers that are not authenticated. */
export function limitUnauthenticated(admission: Admission): Step {
  return async ({ response }, _call, next) => {
    admission.limitUnauthenticated(response)
    return next()
  }
}
