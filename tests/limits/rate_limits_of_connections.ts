import { randomUUID } from 'node:crypto'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { updateConnectionRow } from '../../server/store/connections.ts'
import { insertToken, tokenDigest } from '../../server/store/tokens.ts'
import type { TestServer } from '../harness/server.ts'

/** Sets a rate limit for a connection, as the command line does. */
export async function setRateLimit(server: TestServer, connectionId: string, requests: number): Promise<void> {
  await server.service.database.write((db) => updateConnectionRow(db, connectionId, { rateLimit: requests }))
}

/** Another token of the demo connection's bot. */
export async function addToken(server: TestServer, userId: string): Promise<string> {
  const token = `itk_${randomUUID().replaceAll('-', '')}`
  await server.service.database.write((db) =>
    insertToken(
      db,
      {
        digest: tokenDigest(token),
        workspaceId: exampleWorkspace.workspace.id,
        kind: 'installation',
        connectionId: exampleWorkspace.connection.id,
        userId,
      },
      server.clock.now(),
    ),
  )
  return token
}
