import { findAwaitedChanges, type AwaitedChanges } from '../../store/awaited_changes.ts'
import type { WriteScope } from '../shared/index.ts'
import { changeTypes } from './trigger_types.ts'

/** The workspace and transaction of a change. */
type AwaitingScope = Pick<WriteScope, 'db'> & { readonly actor: Pick<WriteScope['actor'], 'workspaceId'> }

/** By scope. Each request has its own, so subscriptions are read once per request. */
const lookedUp = new WeakMap<AwaitingScope, Promise<AwaitedChanges>>()

/** The changes in the workspace that have subscribers. */
export function awaitedChanges(scope: AwaitingScope): Promise<AwaitedChanges> {
  const known = lookedUp.get(scope) ?? findAwaitedChanges(scope.db, scope.actor.workspaceId, changeTypes)
  lookedUp.set(scope, known)
  return known
}
