import type { Request } from 'express'
import type { Operation } from '../contract/operation.ts'
import type { Actor } from '../domain/actor.ts'
import { lastCaller } from '../domain/authenticate.ts'
import { requireCapability } from '../domain/capability.ts'
import type { StoredAnswer } from '../domain/idempotency.ts'
import type { MaybePromise } from '../kernel/maybe_promise.ts'
import type { ChainParts } from './chain_parts.ts'
import { parseApiVersion, type ApiVersion } from './parse_api_version.ts'
import { NO_BODY, type ReceivedBody } from './received_body.ts'

/** What was read before the caller was known. */
interface EarlyRead {
  /** Whom it was read for. It may be answered to nobody else, and not before `authenticate` has returned this very object. */
  readonly caller: Actor
  readonly answer: Promise<StoredAnswer>
}

/** The caller, the version and the body. */
export interface IdentifiedRequest extends ApiVersion {
  readonly actor: Actor
  readonly body: ReceivedBody
}

interface EarlyRequest {
  readonly operation: Operation
  readonly request: Request
  readonly now: number
}

/**
 * Begins to read while the token is being looked up, for the actor that it last stood for, so that a database behind a network is asked for both at
 * the same time. Reading has no effects, so nothing has happened if the token stands for somebody else, or for nobody, or if a check that
 * comes before the reading fails.
 * @param perform performs the request, as far as reading goes
 * @returns undefined for any other request, and where there is nobody to read for
 */
export function readEarly(
  parts: ChainParts,
  { operation, request, now }: EarlyRequest,
  perform: (asked: IdentifiedRequest) => MaybePromise<StoredAnswer>,
): EarlyRead | undefined {
  // A test kit may have requests refused before they read anything.
  if (operation.method !== 'get' || parts.interceptor) return undefined
  const caller = lastCaller(parts.database, request.headers.authorization, now)
  if (caller === undefined) return undefined
  const read = async (): Promise<StoredAnswer> => {
    requireCapability(caller, operation)
    const asked = parseApiVersion(parts.headers, { operation, request, response: undefined, now })
    return perform({ ...asked, actor: caller, body: NO_BODY })
  }
  const answer = read()
  // The handler that answers it hears of its error; there may be none.
  answer.catch(() => undefined)
  return { caller, answer }
}
