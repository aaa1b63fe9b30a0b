import type { Capability, TokenKind } from '../../generated/operations.ts'
import type { AccessLevel, Viewer } from '../store/access.ts'
import type { Role } from '../store/members.ts'
import { defaultLevel } from './membership.ts'

/** Who is calling: the bot of a connection, or a member with a personal token; and what the caller may see. */
export interface Actor extends Viewer {
  readonly workspaceId: string
  /** The user that writes are recorded under: the connection's bot, or the member. */
  readonly userId: string
  /** The person behind the token: the member, or who authorized the bot. Undefined for an internal connection. */
  readonly personId: string | undefined
  /** Undefined for a personal token. */
  readonly connectionId: string | undefined
  readonly connectionName: string | undefined
  readonly tokenKind: TokenKind
  readonly capabilities: ReadonlySet<Capability>
  /** Requests in 60 seconds, where the connection has a limit of its own. */
  readonly rateLimit: number | undefined
  /** A personal token may be valid for other things than this API. */
  readonly callsApi: boolean
  /** The workspace itself has been shared, so everything in it is visible and pages may be created at its top. */
  readonly seesWholeWorkspace: boolean
  /** Of a member: what it may do where no rule says otherwise. Undefined for bots. */
  readonly memberLevel: AccessLevel | undefined
}

/** How much of a user object the caller may see. */
export type UserDetail = 'none' | 'without_email' | 'with_email'

export function userDetail(actor: Actor): UserDetail {
  if (actor.capabilities.has('read_user_with_email')) return 'with_email'
  return actor.capabilities.has('read_user_without_email') ? 'without_email' : 'none'
}

/** Whom the word `me` means: the person behind the token, or the bot of an internal connection. */
export function meOf(actor: Actor): string {
  return actor.personId ?? actor.userId
}

/** In the order in which introspection lists them. */
export const capabilityOrder: readonly Capability[] = [
  'read_content',
  'insert_content',
  'update_content',
  'read_comments',
  'insert_comments',
  'read_user_with_email',
  'read_user_without_email',
]

const allCapabilities: ReadonlySet<Capability> = new Set(capabilityOrder)

/** A member acting in person: with every capability, but only where its own permission lets it. */
export function memberOf(workspaceId: string, personId: string, role: Role, callsApi = true): Actor {
  return {
    workspaceId,
    userId: personId,
    personId,
    connectionId: undefined,
    connectionName: undefined,
    tokenKind: 'personal',
    capabilities: allCapabilities,
    rateLimit: undefined,
    callsApi,
    seesWholeWorkspace: false,
    memberLevel: defaultLevel(role),
  }
}
