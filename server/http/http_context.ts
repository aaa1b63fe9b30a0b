import type { Request, Response as ExpressResponse } from 'express'
import type { Context } from '../application/context.ts'
import type { Actor, FailedRequest } from '../domain/shared/index.ts'
import type { FollowStart } from '../domain/agents/index.ts'
import { Deadline } from '../kernel/deadline.ts'
import type { Complaint } from '../kernel/errors.ts'
import { newestRelease, type ReleaseDate } from '../versions/index.ts'
import type { Audience } from './audience.ts'
import type { OperationLabel } from './operation_label.ts'
import { Peer } from './peer.ts'

/** Why a request failed, for the log. */
export interface Failure {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly internal: string | undefined
  readonly complaints?: readonly Pick<Complaint, 'path'>[]
}

type CallerIds = FailedRequest['caller']

/** Who follows a session, and from which point on. */
export interface StreamStart {
  readonly actor: Actor
  readonly follow: FollowStart
  /** Authenticates the caller again. @throws ServiceError when the caller may no longer call this operation */
  reauthorize(): Promise<Actor>
}

interface ContextTerms {
  readonly requestId: string
  readonly target?: string
  readonly peer?: Peer
}

/** One HTTP request, and what is known of it so far. */
export class HttpContext<Caller = unknown> implements Context<Caller> {
  readonly request: Request
  readonly response: ExpressResponse
  /** Made by the service, never taken from the caller. */
  readonly requestId: string
  /** The request target, undecoded. */
  readonly target: string
  readonly peer: Peer
  readonly startedAt = performance.now()
  now = Date.now()
  deadline = UNLIMITED
  version: ReleaseDate = newestRelease
  betas: readonly string[] = []
  /** `unknown` until the request is routed. */
  operationLabel: OperationLabel = 'unknown'
  failure: Failure | undefined
  /** The authenticated caller, or whose session or link it is; for the log. */
  callerIds: CallerIds
  /** The fields of the body, once they have been received; for the record of refused requests. */
  body: unknown
  /** Who reads the response; undefined until `audienceOf` has to find out. */
  audience: Audience | undefined
  /** Sent instead of the text of the response. */
  stream: StreamStart | undefined
  #caller: Caller | undefined

  constructor(
    request: Request,
    response: ExpressResponse,
    { requestId, target = request.originalUrl, peer = new Peer(request, () => false) }: ContextTerms,
  ) {
    this.request = request
    this.response = response
    this.requestId = requestId
    this.target = target
    this.peer = peer
  }

  /** @throws Error before a step has called `identify` */
  get caller(): Caller {
    if (this.#caller === undefined) throw new Error('The caller has not been authenticated.')
    return this.#caller
  }

  identify(caller: Caller, ids?: CallerIds): void {
    this.#caller = caller
    this.callerIds = ids
  }
}

const UNLIMITED = new Deadline(Infinity)
