import type { Capability } from '../../generated/operations.ts'
import {
  createConnection,
  createPerson,
  createSignInLink,
  normalEmail,
  setPassword,
  setPersonTimeZone,
  createWorkspace,
  requireFreeName,
  type InternalConnection,
  type PublicConnection,
  type SignInLink,
} from '../domain/administration/index.ts'
import { AdministrationError } from '../domain/shared/index.ts'
import { share } from '../domain/people/index.ts'
import { findAccountByEmail } from '../store/accounts.ts'
import type { Transaction } from '../store/database.ts'
import { insertFirstPage } from './first_page.ts'

export interface OwnWorkspaceSettings {
  readonly name: string
  readonly owner: {
    readonly name: string
    readonly email: string
    readonly timeZone: string | null
    /** A password, a one-time link, or neither: the owner signs in as before, or later. */
    readonly signIn: { readonly password: string } | 'link' | 'none'
  }
  readonly hasFirstPage: boolean
  /** Undefined for none. */
  readonly connection: OwnConnectionSettings | undefined
}

interface OwnConnectionSettings {
  readonly name: string
  readonly capabilities: readonly Capability[]
  /** What the connection sees: everything, the first page, or nothing until something is shared with it. */
  readonly share: 'workspace' | 'page' | 'nothing'
}

export interface OwnWorkspace {
  readonly workspaceId: string
  readonly ownerId: string
  readonly link: SignInLink | undefined
  readonly pageId: string | undefined
  readonly connection: InternalConnection | PublicConnection | undefined
}

/**
 * Creates a workspace with its owner and their first records.
 * @throws AdministrationError that names what is not possible
 */
export async function createOwnWorkspace(db: Transaction, settings: OwnWorkspaceSettings, now: number): Promise<OwnWorkspace> {
  const { owner } = settings
  const workspaceId = await createWorkspace(db, await requireFreeName(db, settings.name), now)
  const account = await findAccountByEmail(db, normalEmail(owner.email))
  if (account && typeof owner.signIn === 'object')
    throw new AdministrationError(`${owner.email} already has an account, and keeps its password. Omit the password.`)
  const person = { workspaceId, email: owner.email, name: owner.name, role: 'owner' } as const
  const ownerId = await createPerson(db, person, now)
  await setPersonTimeZone(db, workspaceId, ownerId, owner.timeZone)
  if (typeof owner.signIn === 'object') await setPassword(db, owner.email, owner.signIn.password)
  const link = owner.signIn === 'link' ? await createSignInLink(db, owner.email, now) : undefined
  const pageId = settings.hasFirstPage ? await insertFirstPage(db, workspaceId, ownerId, now) : undefined
  const connection = settings.connection && (await connect(db, workspaceId, settings.connection, pageId, now))
  return { workspaceId, ownerId, link, pageId, connection }
}

async function connect(
  db: Transaction,
  workspaceId: string,
  settings: OwnConnectionSettings,
  pageId: string | undefined,
  now: number,
): Promise<InternalConnection | PublicConnection> {
  const { name, capabilities } = settings
  const made = await createConnection(db, { workspaceId, kind: 'internal', name, capabilities }, now)
  if (settings.share === 'nothing') return made
  const itemId = settings.share === 'workspace' ? workspaceId : pageId
  if (itemId === undefined) throw new AdministrationError('The first page cannot be shared, because the workspace starts empty.')
  await share(db, workspaceId, { connectionId: made.connectionId }, itemId, now)
  return made
}
