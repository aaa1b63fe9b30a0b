import { isSameDigest } from '../../kernel/is_same_digest.ts'
import { canonicalId } from '../../kernel/ids.ts'
import { OAuthError } from '../../kernel/oauth_error.ts'
import { findClient, liveSecrets, type ConnectionRecord } from '../../store/connections.ts'
import type { Connection } from '../../store/database.ts'
import { tokenDigest } from '../../store/tokens.ts'

const BASIC = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i
const ID = /^[0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}$/

/**
 * Authenticates a connection by its client id and secret. Digests of secrets are compared in constant time, also for unknown clients.
 * @param header the `Authorization` header, which must be `Basic`
 * @throws OAuthError `invalid_client`
 */
export async function authenticateClient(db: Connection, header: string | undefined, now: number): Promise<ConnectionRecord> {
  requireClientCredentials(header)
  const client = await findProvenClient(db, header, now)
  if (!client) throw invalidClient()
  return client
}

/** @throws OAuthError `invalid_client` for an `Authorization` header without a client id and secret */
export function requireClientCredentials(header: string | undefined): void {
  if (!parseBasic(header))
    throw invalidClient('Send the client id and secret as `Authorization: Basic <base64(client_id:client_secret)>`.')
}

/** Whether a header contains client credentials, valid or not. */
export function isBasic(header: string | undefined): boolean {
  return /^basic\b/i.test(header ?? '')
}

/** Like `authenticateClient`, but returns undefined for invalid credentials. */
export async function findProvenClient(
  db: Connection,
  header: string | undefined,
  now: number,
): Promise<ConnectionRecord | undefined> {
  const credentials = parseBasic(header)
  if (!credentials) return undefined
  const client = ID.test(credentials.id) ? await findClient(db, canonicalId(credentials.id)) : undefined
  const secrets = client?.clientId ? await liveSecrets(db, client.clientId, now) : []
  const offered = tokenDigest(credentials.secret)
  const matches = (secrets.length > 0 ? secrets : [NO_SECRET]).map((secret) => isSameDigest(secret, offered))
  return matches.includes(true) ? client : undefined
}

const NO_SECRET = new Uint8Array(32)

function parseBasic(header: string | undefined): { id: string; secret: string } | undefined {
  const text = Buffer.from(BASIC.exec(header ?? '')?.[1] ?? '', 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon === -1 ? undefined : { id: text.slice(0, colon), secret: text.slice(colon + 1) }
}

/** The error for all invalid client credentials. */
export function invalidClient(message = 'The client id or secret is wrong.'): OAuthError {
  return new OAuthError('invalid_client', { message, headers: { 'WWW-Authenticate': 'Basic realm="oauth"' } })
}

/** @throws OAuthError `unauthorized_client` for internal and disabled connections */
export function requireUsableClient(client: ConnectionRecord): void {
  if (client.kind !== 'public')
    throw new OAuthError('unauthorized_client', { message: 'This connection is internal: it has an installation token instead.' })
  if (client.disabledTime !== null) throw new OAuthError('unauthorized_client', { message: 'This connection is disabled.' })
}
