import { COMMAND_LINE, findOwnedAuditEntries, type AuditEntry, type AuditQuery } from '../../domain/administration/index.ts'
import { ServiceError } from '../../kernel/errors.ts'
import { canonicalId } from '../../kernel/ids.ts'
import type { ConsoleCall, ConsoleHandlers, ConsoleResponse } from './console_calls.ts'
import { timeText } from './time_text.ts'

const LISTED_MAX = 50

export const auditHandlers: ConsoleHandlers<'listAuditEntries'> = {
  async listAuditEntries({ deps, session, path, query }) {
    const workspaceId = canonicalId(path.workspace_id)
    const wanted = { ...queryOf(query), workspaceId }
    const page = await deps.database.read((db) => findOwnedAuditEntries(db, session.personId, wanted, LISTED_MAX), workspaceId)
    if (!page) throw new ServiceError('object_not_found', { message: 'You own no workspace with this id.' })
    return { object: 'list', type: 'audit_entry', results: page.entries.map(present), next_cursor: page.nextCursor ?? null }
  },
}

function queryOf({ since, actor, action, object_id: objectId, cursor }: ConsoleCall<'listAuditEntries'>['query']): AuditQuery {
  return {
    ...{ action, cursor },
    since: since === undefined ? undefined : Date.parse(since),
    actor: actor === undefined || actor === COMMAND_LINE ? actor : canonicalId(actor),
    objectId: objectId === undefined ? undefined : canonicalId(objectId),
  }
}

function present(entry: AuditEntry): ConsoleResponse<'listAuditEntries'>['results'][number] {
  const { time, actor, action, object, requestId, address } = entry
  return {
    object: 'audit_entry',
    time: timeText(time),
    actor: actor ?? { type: COMMAND_LINE, id: null, name: null },
    action,
    target: object ?? null,
    request_id: requestId,
    address,
  }
}
