import type { AgentTrigger } from '../../../../generated/types.ts'
import { addMentions, dropMentions, listAgentsWaiting, listMentions } from '../../../store/agent_triggers.ts'
import { findVisibleComment } from '../../../store/comments.ts'
import type { Connection, Transaction } from '../../../store/database.ts'
import { findReachablePage } from '../tools/find_reachable_page.ts'
import { Reach } from '../tools/reach.ts'
import type { NamedPage } from '../tools/titles.ts'
import { memberOf, type JobKind, type JobDeps } from '../../shared/index.ts'
import { changeTypes, CHANGE_KIND, type ChangeTriggerType, type ChangePayload, type FiredChange } from '../../events/index.ts'
import { enabledTriggers } from './follow.ts'
import { mentions, plainTextOf } from './mentions.ts'
import { areCurrent, readPlaces, type ReadPlace } from './read_places.ts'
import { findStartable, startAgent, type Occasion, type Startable } from './start_agent.ts'

/** The maximum number of sessions that one request starts for one agent. */
const SESSIONS_MAX = 20
const CONTEXT_LENGTH_MAX = 4_000

/**
 * The kind of jobs that start agents whose triggers wait for the changes of a request. Agents see only changes that are visible to them.
 */
export function changeKind(deps: Pick<JobDeps, 'database' | 'now' | 'scopeOf'>): JobKind {
  return {
    name: CHANGE_KIND,
    pauses: [1_000, 5_000, 30_000, 120_000],
    leaseMilliseconds: 60_000,
    atOnce: 2,
    async run({ workspaceId, payload }, attempt) {
      if (workspaceId === null) return
      // Only `fireTriggers` writes the payload.
      const fired = payload as ChangePayload
      const changes = await deps.database.read((db) => readChanges(db, workspaceId, fired))
      await attempt.settle(async (db) => {
        for (const { places } of changes) if (!(await areCurrent(db, workspaceId, places))) return deps.now()
        for (const agentId of await agentsToStart(db, workspaceId, fired)) {
          const startable = await findStartable(deps, db, workspaceId, agentId)
          if (startable) await startFor(startable, changes, fired.causedBy)
        }
        return undefined
      })
    },
  }
}

/** The agents to start. An agent's changes, even if a person approved them, do not start the agents that led to them. */
async function agentsToStart(
  db: Connection,
  workspaceId: string,
  { types, changes, authorId, causedBy }: ChangePayload,
): Promise<string[]> {
  const waiting = await listAgentsWaiting(db, workspaceId, types)
  return waiting.filter(
    (agentId) => agentId !== authorId && !causedBy.includes(agentId) && changes.some((change) => mayConcern(change, agentId)),
  )
}

function mayConcern({ assigned }: Pick<FiredChange, 'assigned'>, agentId: string): boolean {
  return assigned === undefined || assigned.includes(agentId)
}

/** A change, and the current text of the blocks on its page. */
type ReadChange = Omit<FiredChange, 'places'> & { readonly places: readonly ReadPlace[] }

async function readChanges(db: Connection, workspaceId: string, fired: ChangePayload): Promise<ReadChange[]> {
  const agentIds = await agentsToStart(db, workspaceId, fired)
  const changes: ReadChange[] = []
  for (const change of fired.changes)
    changes.push({ ...change, places: await readPlaces(db, workspaceId, change.places, agentIds) })
  return changes
}

async function startFor(startable: Startable, changes: readonly ReadChange[], causedBy: readonly string[]): Promise<void> {
  let started = 0
  for (const change of changes) {
    for (const occasion of await occasionsOf(startable, change)) {
      if (started >= SESSIONS_MAX) return
      await startAgent(startable, { ...occasion, causedBy })
      started += 1
    }
  }
}

/** The occasions for an agent to run after a change; none if the page or comment is not visible to the agent. */
async function occasionsOf(startable: Startable, change: ReadChange): Promise<Omit<Occasion, 'causedBy'>[]> {
  const { scope, agent } = startable
  if (!mayConcern(change, agent.id)) return []
  const reach = new Reach(scope, agent)
  const found = await findReachablePage(scope, reach, change.pageId, 'reader')
  if ('refusal' in found) return []
  const isComment = change.kind === 'comment.created' || change.kind === 'comment.edited'
  const comment = isComment ? await findVisibleComment(scope.db, scope.actor, change.id) : undefined
  if (isComment && !comment) return []
  const mentioned = comment
    ? [{ id: comment.id, mentioned: mentions(comment.richText, agent.id) ? [agent.id] : [] }]
    : change.places
  const isMentioned = await isNewlyMentioned(scope.db, scope.actor.workspaceId, agent.id, mentioned)
  const triggers = enabledTriggers(agent).map(([, trigger]) => trigger)
  const occasions = triggers.flatMap((trigger) => {
    const words = messageFor(trigger, change, isMentioned)
    return words === undefined ? [] : [{ trigger, words, context: contextOf(found.page, comment?.richText) }]
  })
  if (occasions.length === 0 || !(await isOpenToMembers(startable, change.pageId))) return occasions
  return occasions.map((occasion) => ({ ...occasion, subject: found.page.title }))
}

/** Whether all full members may read a page that the agent may read. */
async function isOpenToMembers({ scope, agent }: Startable, pageId: string): Promise<boolean> {
  const member = { ...scope, actor: memberOf(scope.actor.workspaceId, agent.id, 'member') }
  return 'page' in (await findReachablePage(member, new Reach(member, agent), pageId, 'reader'))
}

interface ChangeTrigger {
  readonly message: string
  isFiredBy(kind: FiredChange['kind'], isMentioned: boolean): boolean
}

const CHANGE_TRIGGERS: Readonly<Record<ChangeTriggerType, ChangeTrigger>> = {
  'workspace.agent.mentioned': {
    message: 'You were mentioned on a page.',
    isFiredBy: (_kind, isMentioned) => isMentioned,
  },
  'workspace.agent.assigned': {
    message: 'You were assigned to a page.',
    isFiredBy: (kind) => kind === 'page.assigned',
  },
  'workspace.page.created': { message: 'A page was created.', isFiredBy: (kind) => kind === 'page.created' },
  'workspace.comment.created': {
    message: 'Somebody commented on a page.',
    isFiredBy: (kind) => kind === 'comment.created',
  },
}

/** @returns undefined if the change does not fire the trigger */
function messageFor(trigger: AgentTrigger, { kind }: Pick<FiredChange, 'kind'>, isMentioned: boolean): string | undefined {
  const type = changeTypes.find((one) => one === trigger.type)
  if (type === undefined || !CHANGE_TRIGGERS[type].isFiredBy(kind, isMentioned)) return undefined
  return CHANGE_TRIGGERS[type].message
}

/** The title and address of the page, and the text of the comment. */
function contextOf({ title, url }: NamedPage, comment: unknown): string {
  return [`${title} (${url})`, plainTextOf(comment)].join('\n').trim().slice(0, CONTEXT_LENGTH_MAX)
}

/** Whether any of the blocks or comments mentions the agent and did not mention it before. */
async function isNewlyMentioned(
  db: Transaction,
  workspaceId: string,
  agentId: string,
  places: readonly Pick<ReadPlace, 'id' | 'mentioned'>[],
): Promise<boolean> {
  const ids = places.map(({ id }) => id)
  const before = new Set(await listMentions(db, workspaceId, agentId, ids))
  const now = new Set(places.filter(({ mentioned }) => mentioned.includes(agentId)).map(({ id }) => id))
  await dropMentions(db, workspaceId, agentId, [...before.difference(now)])
  const added = [...now.difference(before)]
  if (added.length > 0) await addMentions(db, workspaceId, agentId, added)
  return added.length > 0
}
