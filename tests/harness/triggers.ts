import type { AgentTrigger } from '../../generated/types.ts'
import { at, resultsOf, type JsonObject } from './json.ts'
import { until } from './process.ts'
import type { TestServer } from './server.ts'

const HOUR = 3_600_000

/** A trigger for changes of a type. @param text its message; by default, that of the service */
export function on(type: string, text?: string): AgentTrigger {
  return { type, enabled: true, ...(text === undefined ? {} : { config: { message: { text } } }) }
}

/** Waits until due jobs of triggers and sessions have ended. */
export async function settled(server: TestServer): Promise<void> {
  await until(() =>
    server.service.database.read(async (db) => {
      const kinds = `('agent_schedule', 'agent_change', 'agent_triggers', 'agent_end_turns', 'session turn')`
      const due = await db.get(
        {},
        `select 1 as due from jobs where kind in ${kinds} and state <> 'dead' and due_time <= ?`,
        server.clock.now() + HOUR / 6,
      )
      return due ? undefined : true
    }),
  )
}

/** The sessions of an agent, oldest first, after `settled`. */
export async function sessionsOf(server: TestServer, agent: string): Promise<JsonObject[]> {
  await settled(server)
  const filter = { property: 'agent_id', string: { equals: agent } }
  const body = { filter, sorts: [{ property: 'created_at', direction: 'ascending' }] }
  return resultsOf((await server.owner.call('querySessions', { body })).body)
}

/** The text of the first part of a message. */
export function textOf(event: JsonObject | undefined): unknown {
  return at(event ?? {}, 'content', 0, 'text')
}
