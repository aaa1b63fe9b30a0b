import type { Capability } from '../../generated/operations.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { createConnection, type ConnectionSettings } from '../../server/domain/administration/connections.ts'
import type { TestResponse } from './responses.ts'
import { Browser, hiddenFields } from './browser.ts'
import type { Caller } from './caller.ts'
import { textAt, type JsonObject } from './json.ts'
import type { TestServer } from './server.ts'

export const RETURN_URI = 'https://planner.example/oauth/return'

/** An image of one pixel. */
export const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export const EVERYTHING: readonly Capability[] = [
  'read_content',
  'insert_content',
  'update_content',
  'read_comments',
  'insert_comments',
  'interact_with_agents',
  'read_user_with_email',
]

export interface OAuthClient {
  readonly connectionId: string
  readonly clientId: string
  readonly clientSecret: string
  /** Calls an OAuth operation with the client's own credentials. */
  call(
    id: 'createToken' | 'introspectToken' | 'revokeToken',
    body: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<TestResponse>
}

/** Creates a public connection, as the command line does. */
export async function makeClient(
  server: TestServer,
  settings: Partial<ConnectionSettings> & { workspaceId?: string } = {},
): Promise<OAuthClient> {
  const made = await server.service.database.write((db) =>
    createConnection(
      db,
      {
        workspaceId: exampleWorkspace.workspace.id,
        kind: 'public',
        name: 'Tide Planner',
        capabilities: EVERYTHING,
        redirectUris: [RETURN_URI],
        ...settings,
      },
      server.clock.now(),
    ),
  )
  if (made.kind !== 'public') throw new Error('not a public connection')
  const caller = server.caller(undefined, undefined)
  return {
    ...made,
    call: (id, body, headers = {}) =>
      caller.call(id, { body, headers: { Authorization: basic(made.clientId, made.clientSecret), ...headers } }),
  }
}

export function basic(clientId: string, clientSecret: string): string {
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
}

export interface AuthorizationOptions {
  readonly email?: string
  readonly pages?: readonly string[]
  readonly takesTemplate?: boolean
  readonly workspaceId?: string
  /** Parameters of the authorization request; undefined removes a default one. */
  readonly parameters?: Readonly<Record<string, string | undefined>>
  /** A browser that is already signed in. */
  readonly browser?: Browser
}

/** The path that a connection opens in the user's browser. */
export function authorizeAddress(
  client: { readonly clientId: string },
  parameters: Readonly<Record<string, string | undefined>> = {},
): string {
  const all = { client_id: client.clientId, redirect_uri: RETURN_URI, response_type: 'code', owner: 'user', ...parameters }
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `/v1/oauth/authorize?${given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`
}

/**
 * Signs in and submits the consent page.
 * @returns the target of the redirect
 */
export async function decide(
  server: TestServer,
  client: OAuthClient,
  decision: 'allow' | 'cancel',
  options: AuthorizationOptions = {},
): Promise<URL> {
  const browser = options.browser ?? new Browser(server)
  if (options.browser === undefined) await browser.signIn(server, options.email ?? exampleWorkspace.people[0].email)
  const page = await browser.open(authorizeAddress(client, options.parameters))
  if (page.status !== 200) return new URL(String(page.headers.location))
  const { pages = [exampleWorkspace.pages.handbook], takesTemplate = false } = options
  const hidden = {
    workspace_id: exampleWorkspace.workspace.id,
    ...hiddenFields(page.text),
    ...(options.workspaceId === undefined ? {} : { workspace_id: options.workspaceId }),
  }
  const response = await browser.submit('/v1/oauth/authorize', [
    ...Object.entries(hidden),
    ['decision', decision],
    ['use_template', String(takesTemplate)],
    ...(takesTemplate ? [] : pages.map((id) => ['page_ids', id] as const)),
  ])
  if (response.status !== 303) throw new Error(`not sent back: ${response.status} ${response.text}`)
  return new URL(String(response.headers.location))
}

/** Authorizes a connection. @returns the authorization code */
export async function obtainCode(server: TestServer, client: OAuthClient, options: AuthorizationOptions = {}): Promise<string> {
  const location = await decide(server, client, 'allow', options)
  const code = location.searchParams.get('code')
  if (code === null) throw new Error(`no code: ${location.href}`)
  return code
}

export interface Authorization {
  readonly accessToken: string
  readonly refreshToken: string
  readonly botId: string
  /** Calls the API with the access token. */
  readonly caller: Caller
  /** The complete body of the token endpoint's response. */
  readonly body: JsonObject
}

/** Authorizes a connection, from the consent page to the tokens. */
export async function authorize(
  server: TestServer,
  client: OAuthClient,
  options: AuthorizationOptions = {},
): Promise<Authorization> {
  const code = await obtainCode(server, client, options)
  const named =
    options.parameters !== undefined && 'redirect_uri' in options.parameters ? options.parameters['redirect_uri'] : RETURN_URI
  return readTokens(
    server,
    await client.call('createToken', {
      grant_type: 'authorization_code',
      code,
      ...(named === undefined ? {} : { redirect_uri: named }),
    }),
  )
}

/**
 * The tokens in a response.
 * @throws Error unless it is successful
 */
export function readTokens(server: TestServer, { status, body, text }: TestResponse): Authorization {
  if (status !== 200) throw new Error(`no tokens: ${text}`)
  const accessToken = textAt(body, 'access_token')
  return {
    accessToken,
    refreshToken: textAt(body, 'refresh_token'),
    botId: textAt(body, 'bot_id'),
    caller: server.caller(accessToken),
    body,
  }
}
