import { awaitedChanges } from './awaited_changes.ts'
import type { Change } from './change.ts'
import { enqueue, type Actor, type WriteScope } from '../shared/index.ts'
import type { ChangeTriggerType } from './trigger_types.ts'
import { CHANGE_KIND, type ChangePayload, type FiredChange } from './fired_changes.ts'

/** The author, time and transaction of a change. */
type FiringScope = Pick<WriteScope, 'db' | 'now' | 'causedBy'> & { readonly actor: Pick<Actor, 'workspaceId' | 'userId'> }

/** The maximum number of changes of one request that start agents. */
const CHANGES_MAX = 100
/** The maximum length of a chain of agents that start each other. A chain also ends when it would return to one of its agents. */
const CHAIN_MAX = 5

const TYPES: Readonly<Record<FiredChange['kind'], readonly ChangeTriggerType[]>> = {
  'page.created': ['workspace.page.created', 'workspace.agent.mentioned'],
  'page.edited': ['workspace.agent.mentioned'],
  'page.assigned': ['workspace.agent.assigned'],
  'comment.created': ['workspace.comment.created', 'workspace.agent.mentioned'],
  'comment.edited': ['workspace.agent.mentioned'],
}

/**
 * Enqueues a job that starts the agents whose triggers wait for these changes. If no agent of the workspace has such triggers, this costs
 * one query for each request that creates or edits pages or comments.
 */
export async function fireTriggers(scope: FiringScope, changes: readonly Change[]): Promise<void> {
  await enqueueFired(scope, changes.flatMap(firedBy).slice(0, CHANGES_MAX))
}

/**
 * Enqueues a job that starts the agents among the users that were added to people properties of a row. A caller without the capability
 * may assign an agent, but does not start it.
 */
export async function fireAssignment(scope: WriteScope, pageId: string, assigned: readonly string[]): Promise<void> {
  if (assigned.length === 0 || !scope.actor.capabilities.has('interact_with_agents')) return
  await enqueueFired(scope, [{ kind: 'page.assigned', id: pageId, pageId, places: [], assigned }])
}

async function enqueueFired(scope: FiringScope, fired: readonly FiredChange[]): Promise<void> {
  const { db, actor, now, causedBy = [] } = scope
  if (fired.length === 0 || causedBy.length >= CHAIN_MAX) return
  const { triggerTypes } = await awaitedChanges(scope)
  const types = [...new Set(fired.flatMap(({ kind }) => TYPES[kind]))].filter((type) => triggerTypes.includes(type))
  if (types.length === 0) return
  const payload: ChangePayload = { types, changes: fired, authorId: actor.userId, causedBy }
  await enqueue(db, { kind: CHANGE_KIND, workspaceId: actor.workspaceId, payload, dueTime: now })
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
