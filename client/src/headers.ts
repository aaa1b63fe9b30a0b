import type { ClientOperation } from '../../generated/client_operations.ts'
import { newestRelease } from '../../generated/operations.ts'
import { InvalidCallError } from './errors.ts'
import type { Credentials, HeaderOptions } from './options.ts'
import { VERSION } from './version.ts'

/** What decides about the headers of one request. */
export interface HeaderSources {
  readonly operation: ClientOperation
  readonly brand: string | undefined
  /** The options of the call, then those of the client: the first value counts. */
  readonly options: readonly HeaderOptions[]
  /** See `TokenProvider`. */
  readonly refused?: string | undefined
}

/**
 * Adds the headers that the operation takes and the request does not have yet: version, betas, credentials and the name of the client.
 * @throws InvalidCallError for missing credentials, or a value that cannot be sent in a header
 */
export async function addHeaders(headers: Headers, sources: HeaderSources): Promise<void> {
  const { operation, brand = 'Service', options } = sources
  const accepted = operation.headers ?? ['Service-Version', 'Service-Beta']
  const version = options.find((one) => one.version !== undefined)?.version ?? newestRelease
  const betas = options.find((one) => one.betas !== undefined)?.betas ?? []
  if (accepted.includes('Service-Version')) addHeader(headers, `${brand}-Version`, version)
  if (accepted.includes('Service-Beta') && betas.length > 0) addHeader(headers, `${brand}-Beta`, betas.join(', '))
  if (mayNameItself()) addHeader(headers, 'User-Agent', `workspace-service-client/${VERSION}`)
  if (operation.credentials !== 'none' && !headers.has('Authorization'))
    addHeader(headers, 'Authorization', await authorizationOf(sources))
}

/** Browsers send their own User-Agent; in some, another one causes a preflight that the service refuses. */
function mayNameItself(): boolean {
  return !('document' in globalThis) && !('WorkerGlobalScope' in globalThis)
}

async function authorizationOf({ operation, options, refused }: HeaderSources): Promise<string> {
  const { id, credentials: accepted = 'bearer' } = operation
  for (const { token, clientId, clientSecret } of options) {
    if (accepted !== 'bearer' && clientId && clientSecret) return `Basic ${base64(`${clientId}:${clientSecret}`)}`
    const provided = accepted === 'client' ? undefined : await provide(token, refused)
    if (provided) return `Bearer ${provided}`
  }
  const wanted = {
    bearer: '`token`',
    client: '`clientId` and `clientSecret`',
    connection: '`clientId` and `clientSecret`, or `token`',
    none: 'none',
  }
  throw new InvalidCallError(`${id} needs credentials: pass ${wanted[accepted]} to the client or the call.`)
}

function provide(token: Credentials['token'], refused: string | undefined): string | undefined | Promise<string | undefined> {
  return typeof token === 'function' ? token(refused) : token
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}

function addHeader(headers: Headers, name: string, value: string): void {
  if (!headers.has(name)) setHeader(headers, name, value)
}

/** @throws InvalidCallError for a name or value that cannot be sent */
export function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value)
  } catch {
    // The runtime's message would contain the value, which may be a secret.
    throw new InvalidCallError(`The header ${JSON.stringify(name)} or its value contains characters that headers cannot have.`)
  }
}
