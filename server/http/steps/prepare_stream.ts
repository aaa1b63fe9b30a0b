import { requireCapability, type Actor } from '../../domain/shared/index.ts'
import { wantsStream } from '../accept_header.ts'
import type { Dependencies } from '../dependencies.ts'
import { identifyActor } from './authenticate_token.ts'
import type { Step } from './step.ts'

/** Prepares a stream in place of a response that can be followed, for a caller that accepts one. */
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
