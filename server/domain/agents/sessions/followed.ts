import type { FollowStart } from '../../../kernel/response.ts'

/** The form of the response. */
export type AnswerForm = 'json' | 'stream'

export type { FollowStart }

/** The result of a request, and the session that can be followed afterwards. */
export interface Followed<Answer> {
  readonly answer: Answer
  readonly follow: FollowStart
}
