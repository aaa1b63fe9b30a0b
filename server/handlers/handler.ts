import type { operations } from '../../generated/operations.ts'
import type { SuccessBodyOf, CalledWith, HandledId, ValidatedCall } from '../contract/validated_call.ts'
import type { ImportTerms, ReceivedFile } from '../domain/files/index.ts'
import type { ClientScope, ClientWriteScope } from '../domain/oauth/index.ts'
import type { Scope, WriteScope } from '../domain/shared/index.ts'
import type { Receivers } from '../domain/events/index.ts'
import type { ServiceError } from '../kernel/errors.ts'
import type { ResponseForm, Followed } from '../domain/agents/index.ts'
import type { OAuthError } from '../kernel/oauth_error.ts'

/** A request that was validated against the contract; files of a multipart form are already stored. */
type CheckedCall<Id extends HandledId> = ValidatedCall<Id, ReceivedFile>

/** Runs in a read-only transaction. */
interface ReadHandler<Id extends HandledId, Reading, Refusal = never> {
  readonly read: (scope: Reading, call: CheckedCall<Id>) => Promise<SuccessBodyOf<Id> | Refusal>
}

/** Runs in one read-write transaction, which is committed as a whole or rolled back. */
interface WriteHandler<Id extends HandledId, Writing, Refusal = never> {
  readonly write: (scope: Writing, call: CheckedCall<Id>) => Promise<SuccessBodyOf<Id> | Refusal>
}

/** The dependencies of a handler before its read-write transaction begins. */
export interface Preparation {
  /**
   * For requests to other hosts. They are sent before the transaction begins, because no transaction may stay open while it waits for the
   * network.
   */
  readonly imports: ImportTerms
  readonly receivers: Receivers
  /** Runs work in a read-only transaction that ends with the work. */
  read<T>(work: (scope: Scope) => Promise<T>): Promise<T>
}

/** Prepares outside a transaction; the function it returns runs in one read-write transaction. */
interface PreparedHandler<Id extends HandledId, Preparing, Writing, Refusal = never> {
  readonly prepare: (
    preparing: Preparing,
    call: CheckedCall<Id>,
  ) => Promise<(scope: Writing) => Promise<SuccessBodyOf<Id> | Refusal>>
}

/** Starts work that continues after the response; if the caller requests a stream, it reports the progress. */
interface FollowHandler<Id extends HandledId> {
  readonly writeAndFollow: (scope: WriteScope, call: CheckedCall<Id>, form: ResponseForm) => Promise<Followed<SuccessBodyOf<Id>>>
}

/** GET is a safe method, so its handlers cannot write. */
type Writers<Id extends HandledId, Writer> = (typeof operations)[Id]['method'] extends 'get' ? never : Writer

type Handler<Id extends HandledId> =
  | ReadHandler<Id, Scope>
  | Writers<Id, WriteHandler<Id, WriteScope, ServiceError> | PreparedHandler<Id, Preparation, WriteScope> | FollowHandler<Id>>

/** One handler for each operation of API tokens. A missing or wrongly typed one does not compile. */
export type Handlers = { readonly [Id in CalledWith<'bearer' | 'connection'>]: Handler<Id> }

/** A handler that only reads; `work` returns the response. */
export function read<Id extends HandledId>(work: ReadHandler<Id, Scope>['read']): ReadHandler<Id, Scope> {
  return { read: work }
}

/**
 * A handler that writes; `work` returns the response. An error that `work` throws rolls the transaction back; an error that it returns is
 * sent after the commit.
 */
export function write<Id extends HandledId>(
  work: WriteHandler<Id, WriteScope, ServiceError>['write'],
): WriteHandler<Id, WriteScope, ServiceError> {
  return { write: work }
}

/** Like `write`, with a step before the transaction begins. `work` receives the result of `prepare`. */
export function writeAfter<Id extends HandledId, Prepared>(
  prepare: (preparation: Preparation, call: CheckedCall<Id>) => Promise<Prepared>,
  work: (scope: WriteScope, call: CheckedCall<Id>, prepared: Prepared) => Promise<SuccessBodyOf<Id>>,
): PreparedHandler<Id, Preparation, WriteScope> {
  return {
    prepare: async (preparation, call) => {
      const prepared = await prepare(preparation, call)
      return (scope) => work(scope, call, prepared)
    },
  }
}

/** Like `write`, for operations that can respond with a stream. */
export function writeAndFollow<Id extends HandledId>(work: FollowHandler<Id>['writeAndFollow']): FollowHandler<Id> {
  return { writeAndFollow: work }
}

/** As with `write`, a returned error is sent after the commit. */
type ClientHandler<Id extends HandledId> =
  | ReadHandler<Id, ClientScope, OAuthError>
  | WriteHandler<Id, ClientWriteScope, OAuthError>
  | PreparedHandler<Id, ClientScope, ClientWriteScope, OAuthError>

/** One handler for each operation that an OAuth client calls with its own credentials. */
export type ClientHandlers = { readonly [Id in CalledWith<'client'>]: ClientHandler<Id> }

/** Like `read`, for an OAuth client authenticated by its secret. */
export function readAsClient<Id extends HandledId>(
  work: ReadHandler<Id, ClientScope, OAuthError>['read'],
): ReadHandler<Id, ClientScope, OAuthError> {
  return { read: work }
}

/** Like `write`, for an OAuth client authenticated by its secret. */
export function writeAsClient<Id extends HandledId>(
  work: WriteHandler<Id, ClientWriteScope, OAuthError>['write'],
): WriteHandler<Id, ClientWriteScope, OAuthError> {
  return { write: work }
}

/** Like `writeAfter`, for an OAuth client authenticated by its secret. `prepare` reads in a transaction of its own. */
export function writeAsClientAfter<Id extends HandledId, Prepared>(
  prepare: (scope: ClientScope, call: CheckedCall<Id>) => Promise<Prepared>,
  work: (scope: ClientWriteScope, call: CheckedCall<Id>, prepared: Prepared) => Promise<SuccessBodyOf<Id> | OAuthError>,
): PreparedHandler<Id, ClientScope, ClientWriteScope, OAuthError> {
  return {
    prepare: async (reading, call) => {
      const prepared = await prepare(reading, call)
      return (scope) => work(scope, call, prepared)
    },
  }
}

export type AnyCall = Readonly<Record<'path' | 'query' | 'body', unknown>>

interface AnyReadHandler<Reading> {
  readonly read: (scope: Reading, call: AnyCall) => Promise<object>
}

interface AnyWriteHandler<Writing> {
  readonly write: (scope: Writing, call: AnyCall) => Promise<object>
}

interface AnyPreparedHandler<Preparing, Writing> {
  readonly prepare: (preparing: Preparing, call: AnyCall) => Promise<(scope: Writing) => Promise<object>>
}

interface AnyFollowHandler {
  readonly writeAndFollow: (scope: WriteScope, call: AnyCall, form: ResponseForm) => Promise<Followed<object>>
}

/** The handler of any operation of API tokens. */
export type AnyHandler =
  | AnyReadHandler<Scope>
  | AnyWriteHandler<WriteScope>
  | AnyPreparedHandler<Preparation, WriteScope>
  | AnyFollowHandler

/** The handler of any operation of OAuth clients. */
export type AnyClientHandler =
  | AnyReadHandler<ClientScope>
  | AnyWriteHandler<ClientWriteScope>
  | AnyPreparedHandler<ClientScope, ClientWriteScope>
