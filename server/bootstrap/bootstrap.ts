import type { Config } from '../config.ts'
import { createPerson } from '../domain/administration/index.ts'
import { capabilityOrder, newSecret } from '../domain/shared/index.ts'
import { insertConnection } from '../store/connections.ts'
import type { Database, Transaction } from '../store/database.ts'
import { insertGrant } from '../store/grants.ts'
import { instanceValue, ensureInstanceValue } from '../store/instance.ts'
import { deleteToken, findTokenOwner, insertToken, revokeTokens, tokenDigest } from '../store/tokens.ts'
import { insertUser } from '../store/users.ts'
import { insertWorkspace, listWorkspaces } from '../store/workspaces.ts'
import { insertSample } from './sample.ts'
import { exampleWorkspace } from './example_workspace.ts'

export interface Bootstrapped {
  /** The demo workspace; undefined if there is no demo workspace. */
  readonly workspaceId: string | undefined
  /** Whether there is any workspace. */
  readonly hasWorkspace: boolean
  /** The demo connection's token, if this start has generated it: it cannot be shown later. */
  readonly newToken: string | undefined
  /** Whether a setting names the token, so that the operator knows it. */
  readonly isTokenGiven: boolean
  /** Whether this start made the demo workspace. */
  readonly isNew: boolean
  /** A page for trying out the API. */
  readonly samplePageId: string | undefined
}

/**
 * Gives an empty database its demo workspace, with people and a connection that sees all of it, unless a setting forbids it. Later starts
 * find them.
 */
export async function bootstrap(database: Database, config: Config, now: number): Promise<Bootstrapped> {
  // Processes that start together on an empty database must not both fill it.
  return database.exclusively(async (db) => {
    const known = await instanceValue(db, 'demo workspace')
    if (known === undefined) {
      const hasWorkspace = (await listWorkspaces(db)).length > 0
      return hasWorkspace || config.bootstrapSample === 'false' ? withoutDemo(hasWorkspace) : createDemo(db, config, now)
    }
    const token = config.bootstrapToken
    if (token !== undefined && !(await findTokenOwner(db, tokenDigest(token)))) await replaceToken(db, known, token, now)
    const samplePageId = await instanceValue(db, 'sample page')
    const isTokenGiven = token !== undefined
    return { workspaceId: known, hasWorkspace: true, newToken: undefined, isTokenGiven, isNew: false, samplePageId }
  })
}

/** Operators create their own workspaces and people. */
function withoutDemo(hasWorkspace: boolean): Bootstrapped {
  const nothing = { workspaceId: undefined, newToken: undefined, samplePageId: undefined }
  return { ...nothing, hasWorkspace, isTokenGiven: false, isNew: false }
}

async function createDemo(db: Transaction, config: Config, now: number): Promise<Bootstrapped> {
  const workspaceId = exampleWorkspace.workspace.id
  await insertWorkspace(db, exampleWorkspace.workspace, now)
  for (const [index, person] of exampleWorkspace.people.entries()) {
    await createPerson(db, { workspaceId, ...person }, now + index)
  }
  await insertConnection(
    db,
    {
      id: exampleWorkspace.connection.id,
      workspaceId,
      kind: 'internal',
      name: exampleWorkspace.connection.name,
      capabilities: capabilityOrder,
    },
    now,
  )
  await insertUser(db, workspaceId, {
    id: exampleWorkspace.bot.id,
    kind: 'bot',
    name: exampleWorkspace.bot.name,
    avatar_url: null,
    email: null,
    role: null,
    connection_id: exampleWorkspace.connection.id,
    created_time: now,
  })
  await insertGrant(db, workspaceId, exampleWorkspace.bot.id, workspaceId, now)
  const token = config.bootstrapToken ?? newSecret('itk')
  await insertDemoToken(db, workspaceId, token, now)
  await ensureInstanceValue(db, 'demo workspace', workspaceId)
  const samplePageId = config.bootstrapSample === 'true' ? await insertSample(db, workspaceId, now) : undefined
  if (samplePageId !== undefined) await ensureInstanceValue(db, 'sample page', samplePageId)
  const isTokenGiven = config.bootstrapToken !== undefined
  return { workspaceId, hasWorkspace: true, newToken: isTokenGiven ? undefined : token, isTokenGiven, isNew: true, samplePageId }
}

/** Makes the token from the setting valid, even if it was revoked earlier, in place of the stored one, which stops working. */
async function replaceToken(db: Transaction, workspaceId: string, token: string, now: number): Promise<void> {
  await revokeTokens(db, workspaceId, exampleWorkspace.bot.id, now)
  await deleteToken(db, tokenDigest(token))
  await insertDemoToken(db, workspaceId, token, now)
}

async function insertDemoToken(db: Transaction, workspaceId: string, token: string, now: number): Promise<void> {
  const { bot, connection } = exampleWorkspace
  const digest = tokenDigest(token)
  await insertToken(db, { digest, workspaceId, kind: 'installation', connectionId: connection.id, userId: bot.id }, now)
}
