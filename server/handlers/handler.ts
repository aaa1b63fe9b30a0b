import type { operations } from '../../generated/operations.ts'
import type { AnswerOf, CalledWith, HandledId, ValidatedCall } from '../contract/validated_call.ts'
import type { ImportTerms } from '../domain/file_uploads/import_terms.ts'
import type { ReceivedFile } from '../domain/file_uploads/send.ts'
import type { ClientScope, ClientWriteScope } from '../domain/oauth/tokens.ts'
import type { Scope, WriteScope } from '../domain/scope.ts'
import type { Receivers } from '../domain/webhooks/receivers.ts'
import type { ServiceError } from '../kernel/errors.ts'
import type { AnswerForm, Followed } from '../domain/sessions/followed.ts'
import type { OAuthError } from '../kernel/oauth_error.ts'

/** A request that has passed the contract; the files of its form have been stored already. */
type CheckedCall<Id extends HandledId> = ValidatedCall<Id, ReceivedFile>

/** Work in a transaction that can only read. */
interface ReadHandler<Id extends HandledId, Reading, Refusal = never> {
  readonly read: (scope: Reading, call: CheckedCall<Id>) => Promise<AnswerOf<Id> | Refusal>
}

/** Work that changes something, in one transaction: all of it is kept, or nothing. */
interface WriteHandler<Id extends HandledId, Writing, Refusal = never> {
  readonly write: (scope: Writing, call: CheckedCall<Id>) => Promise<AnswerOf<Id> | Refusal>
}

/** What may be done before the one transaction that writes. */
export interface Preparation {
  /** Other hosts, which are asked while no one waits for a transaction. */
  readonly imports: ImportTerms
  readonly receivers: Receivers
  /** Runs work that only reads. */
  read<T>(work: (scope: Scope) => Promise<T>): Promise<T>
}

/** Work that changes something, known once it has been prepared. */
interface PreparedHandler<Id extends HandledId> {
  readonly prepare: (preparation: Preparation, call: CheckedCall<Id>) => Promise<(scope: WriteScope) => Promise<AnswerOf<Id>>>
}

/** Work that changes something, or nothing, and that goes on when it has been answered: who wants to may follow it. */
interface FollowHandler<Id extends HandledId> {
  readonly writeAndFollow: (scope: WriteScope, call: CheckedCall<Id>, form: AnswerForm) => Promise<Followed<AnswerOf<Id>>>
}

/** What is safe by HTTP has no handler that writes. */
type Writers<Id extends HandledId, Writer> = (typeof operations)[Id]['method'] extends 'get' ? never : Writer

type Handler<Id extends HandledId> =
  | ReadHandler<Id, Scope>
  | Writers<Id, WriteHandler<Id, WriteScope, ServiceError> | PreparedHandler<Id> | FollowHandler<Id>>

/** One handler for every operation: a missing or wrongly shaped one does not compile. */
export type Handlers = { readonly [Id in CalledWith<'bearer' | 'connection'>]: Handler<Id> }

/** The operation is answered by what this finds. */
export function read<Id extends HandledId>(work: ReadHandler<Id, Scope>['read']): ReadHandler<Id, Scope> {
  return { read: work }
}

/**
 * The operation is this change, and answered by what it returns. An error that is returned, not thrown, leaves what was written kept.
 */
export function write<Id extends HandledId>(
  work: WriteHandler<Id, WriteScope, ServiceError>['write'],
): WriteHandler<Id, WriteScope, ServiceError> {
  return { write: work }
}

/** As `write`, with what has to be found out before the transaction begins. */
export function writeAfter<Id extends HandledId, Prepared>(
  prepare: (preparation: Preparation, call: CheckedCall<Id>) => Promise<Prepared>,
  work: (scope: WriteScope, call: CheckedCall<Id>, prepared: Prepared) => Promise<AnswerOf<Id>>,
): PreparedHandler<Id> {
  return {
    prepare: async (preparation, call) => {
      const prepared = await prepare(preparation, call)
      return (scope) => work(scope, call, prepared)
    },
  }
}

/** As `write`, for what is answered as a stream where the caller asks for one. */
export function writeAndFollow<Id extends HandledId>(work: FollowHandler<Id>['writeAndFollow']): FollowHandler<Id> {
  return { writeAndFollow: work }
}

/** An error that is returned, not thrown, leaves what was written kept. */
type ClientHandler<Id extends HandledId> =
  | ReadHandler<Id, ClientScope, OAuthError>
  | WriteHandler<Id, ClientWriteScope, OAuthError>

/** One handler for every operation of OAuth clients. */
export type ClientHandlers = { readonly [Id in CalledWith<'client'>]: ClientHandler<Id> }

/** As `read`, for a connection that proved its secret. */
export function readAsClient<Id extends HandledId>(
  work: ReadHandler<Id, ClientScope, OAuthError>['read'],
): ReadHandler<Id, ClientScope, OAuthError> {
  return { read: work }
}

/** As `write`, for a connection that proved its secret. */
export function writeAsClient<Id extends HandledId>(
  work: WriteHandler<Id, ClientWriteScope, OAuthError>['write'],
): WriteHandler<Id, ClientWriteScope, OAuthError> {
  return { write: work }
}

/** A request whose operation is not known by its type. */
export type AnyCall = Readonly<Record<'path' | 'query' | 'body', unknown>>

interface AnyReadHandler<Reading> {
  readonly read: (scope: Reading, call: AnyCall) => Promise<object>
}

interface AnyWriteHandler<Writing> {
  readonly write: (scope: Writing, call: AnyCall) => Promise<object>
}

interface AnyPreparedHandler {
  readonly prepare: (preparation: Preparation, call: AnyCall) => Promise<(scope: WriteScope) => Promise<object>>
}

interface AnyFollowHandler {
  readonly writeAndFollow: (scope: WriteScope, call: AnyCall, form: AnswerForm) => Promise<Followed<object>>
}

/** A handler without the types of its operation. */
export type AnyHandler = AnyReadHandler<Scope> | AnyWriteHandler<WriteScope> | AnyPreparedHandler | AnyFollowHandler

/** A handler of OAuth clients without the types of its operation. */
export type AnyClientHandler = AnyReadHandler<ClientScope> | AnyWriteHandler<ClientWriteScope>
