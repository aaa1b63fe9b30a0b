import type { Interceptor } from '../interceptor.ts'
import type { Step } from './step.ts'

/** Lets a test kit refuse a request before it is authenticated. */
export function observeRoute(interceptor: Interceptor): Step {
  return async ({ request, response }, { operation }, next) => {
    await interceptor.onRoute(operation, request, response)
    return next()
  }
}
