import type { AuditedObject, AuditedWrite } from '../domain/administration/index.ts'
import { idIn } from '../kernel/ids.ts'
import type { Call } from './call.ts'
import type { Context } from './context.ts'

/** The entry of the audit log for a request. @param result the result of its handler */
export function auditedWrite(
  { requestId, remote }: Pick<Context, 'requestId' | 'remote'>,
  { operation, path }: Pick<Call, 'operation' | 'path'>,
  actor: AuditedWrite['actor'],
  result: object = {},
): AuditedWrite {
  return { actor, operationId: operation.id, object: changedObject(path, result), requestId, address: remote.address }
}

/** The record that the path of a write names, or else the one that its result describes. */
function changedObject(path: Call['path'], result: object): AuditedObject | undefined {
  for (const [name, value] of Object.entries(path).toReversed()) {
    const id = typeof value === 'string' ? idIn(value) : undefined
    if (id !== undefined) return { type: name.replace(/_id$/, ''), id }
  }
  const { object, id } = result as { readonly object?: unknown; readonly id?: unknown }
  return typeof object === 'string' && typeof id === 'string' ? { type: object, id: idIn(id) } : undefined
}
