import type { FollowStart } from '../../../kernel/response.ts'

export type ResponseForm = 'json' | 'stream'

export type { FollowStart }

/** The result of a request, and the session that can be followed afterwards. */
export interface Followed<Body> {
  readonly response: Body
  readonly follow: FollowStart
}
