import type { Actor } from '../actor.ts'
import type { WriteScope } from '../scope.ts'
import type { Change } from './change.ts'

/** Who changed something, when, and the transaction that does it. */
export type RecordScope = Pick<WriteScope, 'db' | 'now'> & { readonly actor: Pick<Actor, 'workspaceId' | 'userId'> }

/**
 * Notes what happened for the subscriptions that want to know, in the transaction that makes it happen. One entry for each entity and
 * kind of change is enough for a whole request.
 */
export async function recordEvent(_scope: RecordScope, ..._changes: readonly Change[]): Promise<void> {
  await Promise.resolve()
}

/** Whether anybody may want to know what happens in the workspace: where telling takes looking up, it is not looked up for nobody. */
export async function hasListeners(_scope: RecordScope): Promise<boolean> {
  return Promise.resolve(false)
}
