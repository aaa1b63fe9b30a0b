import type { Caller } from '../../harness/caller.ts'
import { at, idOf } from '../../harness/json.ts'
import { eventsOf, talk } from '../../harness/sessions.ts'

/** A session that waits for a decision. */
export interface Talk {
  readonly session: string
  /** One of its events. */
  readonly event: string
  /** The action that it waits for. */
  readonly action: string
}

/** @param agent_id an agent that may write on a page */
export async function beginTalk(caller: Caller, agent_id: string): Promise<Talk> {
  const begun = await talk(caller, { agent_id, message: 'create page "Talk"' })
  const [event] = await eventsOf(caller, idOf(begun))
  return { session: idOf(begun), event: idOf(event), action: String(at(begun, 'required_actions', 0, 'action_id')) }
}
