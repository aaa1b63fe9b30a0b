import type { Interceptor } from '../interceptor.ts'
import type { Step } from './step.ts'

/** Lets a test kit refuse a request once its token, version and rate limit have been checked. */
export function observeAdmission(interceptor: Interceptor): Step {
  return async ({ request, response }, { operation }, next) => {
    await interceptor.onAdmission(operation, request, response)
    return next()
  }
}
