import type { Capability, TokenKind } from '../../../generated/operations.ts'
import type { AccessLevel, Viewer } from '../../store/access.ts'
import type { Role } from '../../store/members.ts'
import { defaultLevel } from './membership.ts'

/** The caller: the bot of a connection, or a member with a personal token; with what the token may see and do. */
export interface Actor extends Viewer {
  readonly workspaceId: string
  /** The author of changes: the bot of the connection, or the member. */
  readonly userId: string
  /** The person of the token: the member, or the person who authorized the bot. Undefined for an internal connection. */
  readonly personId: string | undefined
  /** Undefined for a personal token. */
  readonly connectionId: string | undefined
  readonly connectionName: string | undefined
  readonly tokenKind: TokenKind
  readonly capabilities: ReadonlySet<Capability>
  /** Requests per 60 seconds, if the connection has its own limit. */
  readonly rateLimit: number | undefined
  /** Whether the token is valid for this API. Personal tokens can be restricted to other uses. */
  readonly callsApi: boolean
  /**
   * Whether the workspace itself is shared with the bot, so that everything in it is visible and pages can be created at its top.
   */
  readonly seesWholeWorkspace: boolean
  /** The permission of a member for items without an access rule. Undefined for bots. */
  readonly memberLevel: AccessLevel | undefined
}

/** How much of a user object is visible to the caller. */
export type UserDetail = 'none' | 'without_email' | 'with_email'

export function userDetail(actor: Actor): UserDetail {
  if (actor.capabilities.has('read_user_with_email')) return 'with_email'
  return actor.capabilities.has('read_user_without_email') ? 'without_email' : 'none'
}

/** The user that `me` stands for: the person of the token, or the bot of an internal connection. */
export function meOf(actor: Actor): string {
  return actor.personId ?? actor.userId
}

/** The capabilities, in the order in which introspection lists them. */
export const capabilityOrder: readonly Capability[] = [
  'read_content',
  'insert_content',
  'update_content',
  'read_comments',
  'insert_comments',
  'interact_with_agents',
  'read_user_with_email',
  'read_user_without_email',
]

const allCapabilities: ReadonlySet<Capability> = new Set(capabilityOrder)

/** An actor for a member, which has every capability but is bound by the member's permissions. */
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
