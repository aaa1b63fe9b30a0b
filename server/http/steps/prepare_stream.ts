import { requireCapability, type Actor } from '../../domain/shared/index.ts'
import { wantsStream } from '../accept_header.ts'
import type { Dependencies } from '../dependencies.ts'
import { identifyActor } from './authenticate_token.ts'
import type { Step } from './step.ts'

/** Prepares an event stream instead of a single response, for operations that offer one and callers that accept it. */
export function prepareStream({ database, clock }: Pick<Dependencies, 'database' | 'clock'>): Step<Actor> {
  return async (context, call, next) => {
    const { operation } = call
    const { request } = context
    if (!wantsStream(operation, request)) return next()
    call.form = 'stream'
    const response = await next()
    if (response.follow === undefined) return response
    const reauthorize = async (): Promise<Actor> => {
      const current = await identifyActor(database, operation, { request, now: clock.now() })
      requireCapability(current, operation)
      return current
    }
    context.stream = { actor: context.caller, follow: response.follow, reauthorize }
    return response
  }
}
