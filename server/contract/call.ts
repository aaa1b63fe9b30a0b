import type { Calls, HandledId } from '../../generated/handlers.ts'
import type { operations } from '../../generated/operations.ts'

export type { HandledId }

/** A request that has passed the contract. @typeParam File what stands for the files of a form */
export interface Call<Id extends HandledId, File> {
  readonly path: Calls<File>[Id]['path']
  readonly query: Calls<File>[Id]['query']
  readonly body: Calls<File>[Id]['body']
}

/** What a success answer of the operation holds, by the contract: done, or left to a task. */
export type AnswerOf<Id extends HandledId> = Calls<never>[Id]['answer']

/** Operations that are called with these credentials. */
export type CalledWith<Credentials> = {
  [Id in HandledId]: (typeof operations)[Id]['credentials'] extends Credentials ? Id : never
}[HandledId]
