import { id, list, object, oneOfTexts } from '../../store/stored/form.ts'
import { changeTypes } from './trigger_types.ts'

/** The kind of the jobs that start agents because of changes. Its name is stored and never changes. */
export const CHANGE_KIND = 'agent_change'

const firedKinds = ['page.created', 'page.edited', 'page.assigned', 'comment.created', 'comment.edited'] as const

/** The details of a change by which triggers decide. */
export interface FiredChange {
  readonly kind: (typeof firedKinds)[number]
  /** The id of the page or comment. */
  readonly id: string
  /** The page that was changed or commented on. */
  readonly pageId: string
  /** For a page, the blocks whose text may be new. */
  readonly places: readonly string[]
  /** The users that were added to people properties of the page. Only these agents can be started by an assignment. */
  readonly assigned?: readonly string[]
}

export interface ChangePayload {
  readonly types: readonly string[]
  readonly changes: readonly FiredChange[]
  readonly authorId: string
  readonly causedBy: readonly string[]
}

const firedChange = object({ kind: oneOfTexts(firedKinds), id, pageId: id, places: list(id) }, { assigned: list(id) })
export const changePayloadForm = object({
  types: list(oneOfTexts(changeTypes)),
  changes: list(firedChange),
  authorId: id,
  causedBy: list(id),
})
