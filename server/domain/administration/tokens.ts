import { newId } from '../../kernel/ids.ts'
import type { Transaction } from '../../store/database.ts'
import { insertToken, revokeTokenById, tokenDigest } from '../../store/tokens.ts'
import { findPolicies } from '../../store/workspaces.ts'
import { holdsTokens, roleOf, newSecret, AdministrationError } from '../shared/index.ts'
import { requireName } from './names.ts'
import { requireMember } from './people.ts'

/** The possible lifetimes of a personal token, in days. */
export const personalTokenDays = [7, 30, 90, 180, 365] as const
export type PersonalTokenDays = (typeof personalTokenDays)[number]

interface NewPersonalToken {
  readonly workspaceId: string
  readonly personId: string
  /** The name by which the member recognizes the token. */
  readonly name?: string | null
  /** A year by default. */
  readonly days?: PersonalTokenDays
  /** Without it, every operation of the API responds with 403. */
  readonly callsApi?: boolean
  /** A fixed token, for tests and deployments that choose tokens. */
  readonly token?: string
}

export interface PersonalToken {
  readonly id: string
  /** Shown only once: the service stores its digest. */
  readonly token: string
  readonly expiresTime: number
}

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Creates a token that acts as a member.
 * @throws AdministrationError for guests, restricted members, and members that the policy of the workspace excludes
 */
export async function createPersonalToken(db: Transaction, settings: NewPersonalToken, now: number): Promise<PersonalToken> {
  const { workspaceId, personId, days = 365 } = settings
  if (!personalTokenDays.includes(days))
    throw new AdministrationError(`The lifetime of a personal token should be one of ${personalTokenDays.join(', ')} days.`)
  const member = await requireMember(db, workspaceId, personId)
  const policy = await findPolicies(db, workspaceId)
  if (!policy || !(await holdsTokens(db, workspaceId, personId, roleOf(member.role), policy.token_holders))) {
    throw new AdministrationError('This person may not have personal tokens in the workspace.')
  }
  const [id, token, expiresTime] = [newId(), settings.token ?? newSecret('pat'), now + days * DAY_MS]
  await insertToken(
    db,
    {
      digest: tokenDigest(token),
      workspaceId,
      kind: 'personal',
      userId: personId,
      connectionId: null,
      id,
      name: settings.name ? requireName(settings.name) : null,
      expiresTime,
      callsApi: settings.callsApi ?? true,
    },
    now,
  )
  return { id, token, expiresTime }
}

/** @returns the id of its workspace @throws AdministrationError if there is no valid token with this id */
export async function revokeToken(db: Transaction, tokenId: string, now: number): Promise<string> {
  const workspaceId = await revokeTokenById(db, tokenId, now)
  if (workspaceId === undefined)
    throw new AdministrationError(`No valid token has the id ${tokenId}. It may have been revoked or expired.`)
  return workspaceId
}
