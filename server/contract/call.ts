import type { operations as ContractOperations } from '../../generated/types.ts'
import type { operations } from '../../generated/operations.ts'
import type { Actor } from '../domain/actor.ts'
import type { ClientScope, ClientWriteScope } from '../domain/oauth/tokens.ts'
import type { ImportTerms } from '../domain/file_uploads/import.ts'
import type { ReceivedFile } from '../domain/file_uploads/send.ts'
import type { Scope, WriteScope } from '../domain/scope.ts'
import type { OAuthError } from '../kernel/oauth_error.ts'
import type { OperationId } from './operation.ts'
import type { PendingOperation } from '../handlers/pending.ts'

type Contract<Id extends OperationId> = ContractOperations[Id]

type PartOf<Id extends OperationId, Part extends 'path' | 'query'> =
  Contract<Id> extends { parameters: { [P in Part]?: infer Value } } ? NonNullable<Value> : Record<string, never>

type BodyOf<Id extends OperationId> =
  Contract<Id> extends { requestBody?: infer Body }
    ? NonNullable<Body> extends { content: { 'application/json': infer Json } }
      ? Json
      : NonNullable<Body> extends { content: { 'multipart/form-data': infer Form } }
        ? FormOf<Form>
        : undefined
    : undefined

type JsonOf<Id extends OperationId, Status extends number> =
  Contract<Id> extends { responses: { [S in Status]: { content: { 'application/json': infer Json } } } } ? Json : never

/** A form whose files have been stored already. */
type FormOf<Form> = { [Part in keyof Form]: Form[Part] extends Blob ? ReceivedFile : Form[Part] }

/** What a success answer of the operation holds, by the contract: done, or left to a task. */
export type AnswerOf<Id extends OperationId> = JsonOf<Id, 200> | JsonOf<Id, 202>

/** A request that has passed the contract, as its handler gets it. */
export interface Call<Id extends OperationId> {
  readonly path: PartOf<Id, 'path'>
  readonly query: PartOf<Id, 'query'>
  readonly body: BodyOf<Id>
  readonly actor: Actor
  /** For imports from other hosts, which are asked before anything is written. */
  readonly files: ImportTerms
  /** Runs work that only reads. */
  read<T>(work: (scope: Scope) => Promise<T>): Promise<T>
  /** Runs work that changes something: all of it is kept, or nothing. Called once, and what it returns is the answer. */
  write<T extends object>(work: (scope: WriteScope) => Promise<T>): Promise<T>
}

export type Handler<Id extends OperationId> = (call: Call<Id>) => Promise<AnswerOf<Id>>

/** Operations that are called with these credentials. */
type CalledWith<Credentials> = {
  [Id in OperationId]: (typeof operations)[Id]['credentials'] extends Credentials ? Id : never
}[OperationId]

/** One handler for every operation that is not pending: a missing or wrongly shaped one does not compile. */
export type Handlers = { readonly [Id in Exclude<CalledWith<'bearer' | 'connection'>, PendingOperation>]: Handler<Id> }

/** A request of an OAuth client that has passed the contract. */
export interface ClientCall<Id extends OperationId> {
  readonly body: BodyOf<Id>
  /** Runs work that only reads. */
  read<T>(work: (scope: ClientScope) => Promise<T>): Promise<T>
  /** Runs work that changes something: all of it is kept, or nothing; an error that is returned, not thrown, leaves it kept. */
  write<T>(work: (scope: ClientWriteScope) => Promise<T>): Promise<T>
}

/** One handler for every operation of OAuth clients. */
export type ClientHandlers = {
  readonly [Id in Exclude<CalledWith<'client'>, PendingOperation>]: (call: ClientCall<Id>) => Promise<AnswerOf<Id> | OAuthError>
}
