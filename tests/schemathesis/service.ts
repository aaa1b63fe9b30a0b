import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { parseConfig } from '../../server/config.ts'
import { createConnection } from '../../server/domain/administration/connections.ts'
import { systemClock } from '../../server/kernel/clock.ts'
import { composeService } from '../../server/service.ts'
import { insertGrant } from '../../server/store/grants.ts'

/** The tokens of the requests. */
export const roles = {
  owner: 'sees everything and may do everything',
  reader: 'sees everything and may only read',
  stranger: 'may do everything and sees nothing',
} as const
export type Role = keyof typeof roles

export interface TestedService {
  readonly url: string
  readonly token: string
  readonly clientId: string
  readonly clientSecret: string
  stop(): Promise<void>
}

const OWNER_TOKEN = 'itk_of_the_schemathesis_run_0001'
const CLIENT = {
  name: 'Tide Planner',
  redirectUris: ['https://planner.example/oauth/return'],
}
const READING = ['read_content', 'read_comments', 'read_user_with_email'] as const
const WRITING = ['insert_content', 'update_content', 'insert_comments'] as const

/** The service on the loopback interface with the demo workspace, in memory. */
export async function startTestedService(role: Role): Promise<TestedService> {
  const service = await composeService(
    parseConfig({
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: 'sqlite::memory:',
      FILES_URL: 'file::temporary:',
      BOOTSTRAP_TOKEN: OWNER_TOKEN,
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'error',
    }),
  )
  const now = systemClock.now()
  const workspaceId = exampleWorkspace.workspace.id
  return service.database.write(async (db) => {
    const capabilities = role === 'reader' ? READING : [...READING, ...WRITING]
    const client = await createConnection(db, { ...CLIENT, workspaceId, kind: 'public', capabilities }, now)
    const other = await createConnection(db, { workspaceId, kind: 'internal', name: 'Crate Counter', capabilities }, now)
    if (client.kind !== 'public' || other.kind !== 'internal') throw new Error('the connections are of other kinds')
    if (role === 'reader') await insertGrant(db, workspaceId, other.botId, workspaceId, now)
    const { clientId, clientSecret } = client
    const token = role === 'owner' ? OWNER_TOKEN : other.installationToken
    return { url: service.url, token, clientId, clientSecret, stop: () => service.stop() }
  })
}
