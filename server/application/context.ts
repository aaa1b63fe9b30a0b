import type { Actor } from '../domain/shared/index.ts'
import type { Deadline } from '../kernel/deadline.ts'
import type { ReleaseDate } from '../versions/index.ts'

/** Who makes a request, when, in which version, and until when it has to be done. */
export interface Context<Caller = Actor> {
  readonly requestId: string
  readonly now: number
  readonly deadline: Deadline
  readonly caller: Caller
  readonly version: ReleaseDate
  /** Beta flags. */
  readonly betas: readonly string[]
}
