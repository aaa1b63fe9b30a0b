import { createOwnWorkspace } from '../../server/bootstrap/own_workspace.ts'
import { parseConfig } from '../../server/config.ts'
import { capabilityOrder } from '../../server/domain/shared/actor.ts'
import { openDatabase } from '../../server/store/open.ts'
import { createPage, listChildren } from './api.ts'
import { manyBlocks } from './content.ts'

/** A workspace with a connection of its own. */
export interface BenchWorkspace {
  readonly token: string
  readonly blocks: readonly string[]
}

const BLOCKS = 30

/** Tokens of new workspaces, each for a connection that sees the whole workspace. */
export async function createWorkspaces(databaseUrl: string, count: number): Promise<string[]> {
  const database = openDatabase(parseConfig({ DATABASE_URL: databaseUrl }).database)
  try {
    const tokens: string[] = []
    for (let number = 0; number < count; number += 1) {
      const name = `Yard ${number}`
      const owner = { name, email: `yard${number}@example.org`, timeZone: null, signIn: 'none' } as const
      const connection = { name, capabilities: capabilityOrder, share: 'workspace' } as const
      const { connection: made } = await database.write((db) =>
        createOwnWorkspace(db, { name, owner, hasFirstPage: false, connection }, Date.now()),
      )
      if (made?.kind !== 'internal') throw new Error('a workspace without a connection')
      tokens.push(made.installationToken)
    }
    return tokens
  } finally {
    await database.close()
  }
}

/** Creates a page of some blocks in the workspace of a token. */
export async function fillWorkspace(url: string, token: string): Promise<BenchWorkspace> {
  const title = { title: { title: [{ text: { content: 'Yard' } }] } }
  const page = await createPage(url, { properties: title, ...manyBlocks(BLOCKS) }, token)
  return { token, blocks: await listChildren(url, page, token) }
}
