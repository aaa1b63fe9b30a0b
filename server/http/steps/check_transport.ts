import { requireTransport } from '../require_transport.ts'
import type { Step } from './step.ts'

/** Requires HTTPS, if configured, and exactly one host. */
export function checkTransport(requiresHttps: boolean): Step {
  return async (context, _call, next) => {
    requireTransport(context, requiresHttps)
    return next()
  }
}
