import type { Calls, HandledId } from '../../generated/handlers.ts'
import type { operations } from '../../generated/operations.ts'

export type { HandledId }

/** A request that has been validated against the contract. @typeParam File the type of files in a form */
export interface ValidatedCall<Id extends HandledId, File> {
  readonly path: Calls<File>[Id]['path']
  readonly query: Calls<File>[Id]['query']
  readonly body: Calls<File>[Id]['body']
}

/** The body of an operation's success response, which may describe a running task. */
export type SuccessBodyOf<Id extends HandledId> = Calls<never>[Id]['response']

/** Ids of the operations that take these credentials. */
export type CalledWith<Credentials> = {
  [Id in HandledId]: (typeof operations)[Id]['credentials'] extends Credentials ? Id : never
}[HandledId]
