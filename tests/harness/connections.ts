import { randomUUID } from 'node:crypto'
import type { Capability } from '../../generated/operations.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { createPersonalToken, type PersonalTokenDays } from '../../server/domain/administration/tokens.ts'
import { insertConnection } from '../../server/store/connections.ts'
import { insertGrant } from '../../server/store/grants.ts'
import { insertToken, tokenDigest, type TokenOwner } from '../../server/store/tokens.ts'
import { insertUser } from '../../server/store/users.ts'
import type { Caller } from './caller.ts'
import type { TestServer } from './server.ts'

export interface TestConnection {
  readonly caller: Caller
  readonly token: string
  readonly connectionId: string
  readonly botId: string
  readonly name: string
}

interface ConnectionOptions {
  readonly capabilities: readonly Capability[]
  /** Pages or databases shared with it; the workspace's own id shares everything. */
  readonly grants?: readonly string[]
  readonly workspaceId?: string
  readonly kind?: TokenOwner['kind']
  readonly name?: string
}

/** Where connections are made: a server in the process of the test, or another process with its database. */
interface ConnectionHost extends Pick<TestServer, 'caller'> {
  readonly service: Pick<TestServer['service'], 'database'>
  readonly clock: Pick<TestServer['clock'], 'now'>
}

/** Creates a connection with the given rights, by functions of the store, because the API cannot create one. */
export async function makeConnection(server: ConnectionHost, options: ConnectionOptions): Promise<TestConnection> {
  const {
    capabilities,
    grants = [],
    workspaceId = exampleWorkspace.workspace.id,
    kind = 'installation',
    name = 'Crate Counter',
  } = options
  const token = `itk_${randomUUID().replaceAll('-', '')}`
  const [connectionId, botId] = [randomUUID(), randomUUID()]
  const now = server.clock.now()
  await server.service.database.write(async (db) => {
    await insertConnection(db, { id: connectionId, workspaceId, kind: 'internal', name, capabilities }, now)
    await insertUser(db, workspaceId, {
      id: botId,
      kind: 'bot',
      name,
      avatar_url: null,
      email: null,
      role: null,
      connection_id: connectionId,
      created_time: now,
    })
    await insertToken(db, { digest: tokenDigest(token), workspaceId, kind, connectionId, userId: botId }, now)
    for (const grant of grants) await insertGrant(db, workspaceId, botId, grant, now)
  })
  return { caller: server.caller(token), token, connectionId, botId, name }
}

export interface PersonalToken {
  readonly caller: Caller
  readonly token: string
  readonly id: string
}

/** Creates a personal access token for a member of the demo workspace. */
export async function makePersonalToken(
  server: TestServer,
  personId: string,
  more: { readonly days?: PersonalTokenDays; readonly callsApi?: boolean } = {},
): Promise<PersonalToken> {
  const made = await server.service.database.write((db) =>
    createPersonalToken(db, { workspaceId: exampleWorkspace.workspace.id, personId, ...more }, server.clock.now()),
  )
  return { ...made, caller: server.caller(made.token) }
}

/** A caller with a new personal access token of a member of the demo workspace. */
export async function makeMember(server: TestServer, personId: string): Promise<Caller> {
  return (await makePersonalToken(server, personId)).caller
}
