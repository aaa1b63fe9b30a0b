import { ServiceError } from '../../kernel/errors.ts'
import type { FollowStart } from '../../store/idempotency_keys.ts'
import type { SessionRow } from '../../store/sessions.ts'

/** How the caller wants to be answered. */
export type AnswerForm = 'json' | 'stream'

export type { FollowStart }

/** What was done, and what may be followed from then on. */
export interface Followed<Answer> {
  readonly answer: Answer
  readonly follow: FollowStart
}

/** @param problem `takes no message` */
export function conflict({ id, status }: Pick<SessionRow, 'id' | 'status'>, problem: string): ServiceError {
  return new ServiceError('conflict_error', { message: `The session ${id} ${problem} while it is \`${status}\`.` })
}
