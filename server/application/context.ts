import type { Actor } from '../domain/shared/index.ts'
import type { Deadline } from '../kernel/deadline.ts'
import type { ReleaseDate } from '../versions/index.ts'

export interface Context<Caller = Actor> {
  readonly requestId: string
  readonly now: number
  readonly remote: { readonly address: string }
  readonly deadline: Deadline
  readonly caller: Caller
  readonly version: ReleaseDate
  /** Beta flags. */
  readonly betas: readonly string[]
}
