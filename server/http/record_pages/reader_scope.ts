import { newestRelease } from '../../../generated/operations.ts'
import type { Actor, Scope } from '../../domain/shared/index.ts'
import type { Deadline } from '../../kernel/deadline.ts'
import { ListCursors } from '../../kernel/cursors.ts'
import type { Dependencies } from '../dependencies.ts'

/** The scope in which a signed-in person reads. It is the same as for the person's token in the API. */
export function readerScope(
  deps: Dependencies,
  db: Scope['db'],
  actor: Actor,
  deadline: Deadline,
  list: readonly string[] = [],
): Scope {
  const now = deps.clock.now()
  return {
    db,
    actor,
    now,
    baseUrl: deps.baseUrl(),
    cursors: new ListCursors(deps.cursors, [actor.workspaceId, actor.userId, 'pages for people'], () => list, now),
    version: newestRelease,
    files: deps.files,
    requireTime: () => deadline.check(),
  }
}
