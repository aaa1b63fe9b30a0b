import type { Actor } from '../domain/shared/index.ts'
import type { Deadline } from '../kernel/deadline.ts'
import type { ReleaseDate } from '../versions/index.ts'

/** The caller of a request, its time, version and deadline. */
export interface Context<Caller = Actor> {
  readonly requestId: string
  readonly now: number
  readonly deadline: Deadline
  readonly caller: Caller
  readonly version: ReleaseDate
  /** Beta flags. */
  readonly betas: readonly string[]
}
