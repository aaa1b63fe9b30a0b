import { complaintError, ServiceError } from '../../kernel/errors.ts'
import type { Actor } from './actor.ts'

/** The names of kinds of records in 404 messages. */
export type RecordKind =
  | 'page'
  | 'database'
  | 'data source'
  | 'block'
  | 'user'
  | 'comment'
  | 'discussion'
  | 'file upload'
  | 'custom emoji'
  | 'property'
  | 'property item'
  | 'async task'
  | 'view'
  | 'view query'
  | 'webhook subscription'
  | 'session'
  | 'agent'

/** The error for a record that does not exist or is not shared, which callers cannot distinguish. Clients match its first words. */
export function notFound(actor: Actor, kind: RecordKind, id: string): ServiceError {
  const { connectionId } = actor
  if (connectionId === undefined) {
    return new ServiceError('object_not_found', {
      message: `Could not find ${kind} with ID: ${id}. Make sure the owner of this token has access to it.`,
    })
  }
  return new ServiceError('object_not_found', {
    message: `Could not find ${kind} with ID: ${id}. Make sure the relevant pages and databases are shared with your connection.`,
    additionalData: { integration_id: connectionId },
  })
}

/** The error for a value that has the right form but violates a rule. */
export function invalid(path: string, complaint: string): ServiceError {
  return complaintError([{ path, claim: complaint }])
}

/** The error for a change by a member with read permission only. */
export function readOnly(kind: RecordKind, id: string): ServiceError {
  return new ServiceError('restricted_resource', { message: `The owner of this token may only read the ${kind} with id ${id}.` })
}
