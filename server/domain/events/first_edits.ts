import { findRecentChanges } from '../../store/outbox.ts'
import type { WriteScope } from '../shared/index.ts'
import type { Change } from './change.ts'
import { WINDOW } from './coalesce.ts'

type EditScope = Pick<WriteScope, 'db' | 'now'> & { readonly actor: Pick<WriteScope['actor'], 'workspaceId'> }

/** By scope, the pages whose first edit has been recorded. Each request has its own scope, and may record several edits of a page. */
const recorded = new WeakMap<EditScope, Set<string>>()

/**
 * The changed pages that had no recent property edit before this request. Their edits are reported immediately; further edits are
 * collected.
 */
export async function firstEdits(scope: EditScope, changes: readonly Change[]): Promise<ReadonlySet<string>> {
  const ids = changes.flatMap(({ type, id }) => (type === 'page.properties_updated' ? [id] : []))
  const own = recorded.get(scope) ?? new Set()
  if (ids.length === 0) return own
  recorded.set(scope, own)
  const unknown = [...new Set(ids)].filter((id) => !own.has(id))
  const { workspaceId } = scope.actor
  const recent = await findRecentChanges(scope.db, workspaceId, 'page.properties_updated', unknown, scope.now - WINDOW.quiet)
  for (const id of unknown) if (!recent.has(id)) own.add(id)
  return own
}
