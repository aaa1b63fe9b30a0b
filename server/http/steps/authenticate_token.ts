import type { Actor, Database } from '../../domain/shared/index.ts'
import { authenticate, authenticateConnection } from '../../domain/people/index.ts'
import type { Operation } from '../../contract/operation.ts'
import { chargingFailures } from '../charge_request.ts'
import type { Dependencies } from '../dependencies.ts'
import type { HttpContext } from '../http_context.ts'
import type { Step } from './step.ts'

/** Identifies the caller by a token; for some operations, also by the client id and secret of a connection. */
export function authenticateToken({
  database,
  rateLimiter,
  admission,
}: Pick<Dependencies, 'database' | 'rateLimiter' | 'admission'>): Step<Actor> {
  return async (context, { operation }, next) => {
    const actor = await chargingFailures(rateLimiter, context.remote, () => identifyActor(database, operation, context))
    context.identify(actor, actor)
    admission.identify(context.response, actor.userId)
    return next()
  }
}

export function identifyActor(
  database: Database,
  { credentials }: Operation,
  { request, now }: Pick<HttpContext, 'request' | 'now'>,
): Promise<Actor> {
  const identify = credentials === 'connection' ? authenticateConnection : authenticate
  return identify(database, request.headers.authorization, now)
}
