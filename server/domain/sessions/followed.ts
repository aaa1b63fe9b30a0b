import { ServiceError } from '../../kernel/errors.ts'
import type { FollowStart } from '../../store/idempotency_keys.ts'
import type { SessionRow } from '../../store/sessions.ts'

/** The form of the response. */
export type AnswerForm = 'json' | 'stream'

export type { FollowStart }

/** The result of a request, and the session that can be followed afterwards. */
export interface Followed<Answer> {
  readonly answer: Answer
  readonly follow: FollowStart
}

/** @param problem `takes no message` */
export function conflict({ id, status }: Pick<SessionRow, 'id' | 'status'>, problem: string): ServiceError {
  return new ServiceError('conflict_error', { message: `The session ${id} ${problem} while it is \`${status}\`.` })
}
