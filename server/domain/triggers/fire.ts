import { listTriggerTypes } from '../../store/agent_triggers.ts'
import type { Change } from '../events/change.ts'
import type { Actor } from '../actor.ts'
import { enqueue } from '../jobs/queue.ts'
import type { WriteScope } from '../scope.ts'
import { changeTypes, type ChangeTriggerType } from './follow.ts'
import { CHANGE_KIND, type ChangePayload, type FiredChange } from './jobs.ts'

/** Who changed something, when, and the transaction that does it. */
type FiringScope = Pick<WriteScope, 'db' | 'now' | 'causedBy'> & { readonly actor: Pick<Actor, 'workspaceId' | 'userId'> }

/** Of one request; whatever it changes beyond that starts nobody. */
const CHANGES_MAX = 100
/** A chain of agents that start one another ends here, besides where it would come round to one of them again. */
const CHAIN_MAX = 5

const TYPES: Readonly<Record<FiredChange['kind'], readonly ChangeTriggerType[]>> = {
  'page.created': ['workspace.page.created', 'workspace.agent.mentioned'],
  'page.edited': ['workspace.agent.mentioned'],
  'comment.created': ['workspace.comment.created', 'workspace.agent.mentioned'],
  'comment.edited': ['workspace.agent.mentioned'],
}

/**
 * Has the agents started that wait for what happened, by a job that the transaction leaves behind. Where no agent of the workspace waits
 * for anything this costs one look-up for each request that makes or edits pages or comments.
 */
export async function fireTriggers(scope: FiringScope, changes: readonly Change[]): Promise<void> {
  const { db, actor, now, causedBy = [] } = scope
  const fired = changes.flatMap(firedBy).slice(0, CHANGES_MAX)
  if (fired.length === 0 || causedBy.length >= CHAIN_MAX) return
  const waited = await waitedFor(scope)
  const types = [...new Set(fired.flatMap(({ kind }) => TYPES[kind]))].filter((type) => waited.includes(type))
  if (types.length === 0) return
  const payload: ChangePayload = { types, changes: fired, authorId: actor.userId, causedBy }
  await enqueue(db, { kind: CHANGE_KIND, workspaceId: actor.workspaceId, payload, dueTime: now })
}

/** Each request has a scope of its own, so that it asks once. */
const lookedUp = new WeakMap<FiringScope, Promise<readonly string[]>>()

function waitedFor(scope: FiringScope): Promise<readonly string[]> {
  const known = lookedUp.get(scope) ?? listTriggerTypes(scope.db, scope.actor.workspaceId, changeTypes)
  lookedUp.set(scope, known)
  return known
}

function firedBy(change: Change): FiredChange[] {
  const { id } = change
  if (change.type === 'page.created') return [{ kind: 'page.created', id, pageId: id, places: [id] }]
  if (change.type === 'page.properties_updated') return [{ kind: 'page.edited', id, pageId: id, places: [id] }]
  if (change.type === 'page.content_updated')
    return [{ kind: 'page.edited', id, pageId: id, places: change.blocks.slice(0, CHANGES_MAX).map((block) => block.id) }]
  if (change.type === 'comment.created') return [{ kind: 'comment.created', id, pageId: change.pageId, places: [] }]
  return change.type === 'comment.updated' ? [{ kind: 'comment.edited', id, pageId: change.pageId, places: [] }] : []
}
