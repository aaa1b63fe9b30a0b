import { findConnection } from '../../store/connections.ts'
import type { Connection } from '../../store/database.ts'
import { listConnectedBots } from '../../store/members.ts'

/** A bot whose requests are limited. */
interface LimitedBot {
  readonly botId: string
  readonly name: string | null
  /** Requests in 60 seconds; undefined for the limit of all callers. */
  readonly rateLimit: number | undefined
}

/** The newest bots of the connections of a workspace. */
export async function listLimitedBots(db: Connection, workspaceId: string, limit: number): Promise<LimitedBot[]> {
  const bots: LimitedBot[] = []
  for (const { id: botId, name, connection_id } of await listConnectedBots(db, workspaceId, limit))
    bots.push({ botId, name, rateLimit: (await findConnection(db, connection_id))?.rateLimit ?? undefined })
  return bots
}
