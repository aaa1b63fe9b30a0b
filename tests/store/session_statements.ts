import { randomUUID } from 'node:crypto'
import { changeTypes } from '../../server/domain/events/trigger_types.ts'
import { findAgentLevels, listFewAgents } from '../../server/store/agent_levels.ts'
import type { AgentOrder } from '../../server/store/agent_ranges.ts'
import { scanAgents } from '../../server/store/agent_scans.ts'
import type { AgentTest } from '../../server/store/agent_tests.ts'
import { findAwaitedChanges } from '../../server/store/awaited_changes.ts'
import type { Connection, Transaction } from '../../server/store/database.ts'
import { scanSessions, type SessionSource, type SessionScan, type ScannedBatch } from '../../server/store/session_scans.ts'
import { findSessions } from '../../server/store/sessions.ts'

/** Agents of one bot, and sessions that it started with the first of them. */
export interface PlantedSessions {
  readonly subjectId: string
  readonly agentIds: readonly string[]
  readonly sessionIds: readonly string[]
  /** Creation time of the agents and sessions in the middle. */
  readonly middle: number
}

export async function plantSessions(db: Transaction, workspaceId: string, count: number): Promise<PlantedSessions> {
  const subjectId = randomUUID()
  const agentIds = Array.from({ length: count }, () => randomUUID())
  const sessionIds = Array.from({ length: count }, () => randomUUID())
  await db.insert({
    table: 'agents',
    columns: [
      ...['workspace_id', 'id', 'type', 'name', 'lower_name', 'lower_description', 'model_mode', 'connections', 'server_hosts'],
      ...['triggers', 'created_time', 'last_edited_time', 'last_run_time'],
    ],
    rows: agentIds.map((id, index) => [
      ...[workspaceId, id, 'custom_agent', 'a', 'a', '', 'auto', '[]', '', '[]', index, index],
      runOf(index, count),
    ]),
  })
  await db.insert({
    table: 'agent_access',
    columns: ['workspace_id', 'subject_id', 'agent_id', 'level', 'created_time', 'agent_created_time', 'agent_run_time'],
    rows: agentIds.map((id, index) => [workspaceId, subjectId, id, 3, index, index, runOf(index, count) ?? -1]),
  })
  await db.insert({
    table: 'agent_triggers',
    columns: ['workspace_id', 'type', 'agent_id'],
    rows: agentIds.flatMap((id) => changeTypes.map((type) => [workspaceId, type, id])),
  })
  await db.insert({
    table: 'sessions',
    columns: [
      ...['workspace_id', 'id', 'agent_id', 'owner_id', 'title', 'title_key', 'status', 'creator_id', 'creator_kind', 'models'],
      ...['trigger_type', 'type_label', 'turn', 'last_sequence', 'writers', 'tool_types', 'created_time', 'updated_time'],
    ],
    rows: sessionIds.map((id, index) => [
      ...[workspaceId, id, agentIds[0] ?? '', subjectId, `Session ${index}`, `session ${index}`, 'completed', subjectId, 'bot'],
      ...['{}', 'chat', 'chat', 1, 5, '[]', '[]', index, index],
    ]),
  })
  return { subjectId, agentIds, sessionIds, middle: count / 2 }
}

/** A prime: its multiples, modulo the number of agents, are in a different order. */
const STEP = 7_919

/** Every second agent has run. The order of these runs differs from the order of creation. */
function runOf(index: number, count: number): number | null {
  return index % 2 === 0 ? (index * STEP) % count : null
}

type Statement = (db: Connection, planted: { readonly sessions: PlantedSessions }) => Promise<unknown>

const SIZE = 10
const FIRST_ID = '00000000-0000-0000-0000-000000000000'
const CREATED: AgentOrder = { column: 'created_time', descending: true }
const RAN: AgentOrder = { column: 'last_run_time', descending: true }
const NOT_DELETED: AgentTest = { kind: 'status', among: ['active', 'disabled'] }

/** The statements of lists of agents and sessions. */
export function sessionStatements(workspaceId: string): Record<string, Statement> {
  const viewerOf = ({ subjectId }: PlantedSessions) => ({ workspaceId, subjectId, isFullMember: true })
  const sources: Record<string, (planted: PlantedSessions) => SessionSource> = {
    'the workspace': () => ({ column: 'workspace_id' }),
    'an agent': ({ agentIds }) => ({ column: 'agent_id', value: agentIds[0] ?? '' }),
    'their creator': ({ subjectId }) => ({ column: 'creator_id', value: subjectId }),
    'a personal agent': ({ subjectId }) => ({ column: 'owner_id', value: subjectId }),
  }
  const scans = Object.entries(sources).flatMap(([name, sourceOf]) =>
    (['created_time', 'updated_time'] as const).flatMap((column) =>
      [false, true].map((isDescending): [string, Statement] => [
        `10 sessions of ${name} by ${column}${isDescending ? ', the last first' : ''}`,
        async (db, { sessions }): Promise<ScannedBatch[]> => {
          const scan: SessionScan = {
            sources: [sourceOf(sessions)],
            viewer: { agents: viewerOf(sessions), userId: sessions.subjectId, personId: sessions.subjectId },
            titlePart: 'session',
            condition: { all: [] },
            bounds: [],
            along: { column, isDescending },
          }
          const first = await scanSessions(db, workspaceId, scan, undefined, SIZE)
          const middle = await scanSessions(db, workspaceId, scan, { time: sessions.middle, id: workspaceId }, SIZE)
          return [first, middle]
        },
      ]),
    ),
  )
  const agentsBy =
    (
      orders: readonly AgentOrder[],
      keysAt?: (middle: number) => readonly (number | null)[],
      test: AgentTest = NOT_DELETED,
    ): Statement =>
    (db, { sessions }) =>
      scanAgents(
        db,
        {
          viewer: { ...viewerOf(sessions), isFullMember: false },
          test,
          orders,
          after: keysAt && { keys: keysAt(sessions.middle), id: FIRST_ID },
          limit: SIZE,
          now: 1,
          goneBefore: 0,
        },
        () => Promise.resolve(),
      )
  return {
    ...Object.fromEntries(scans),
    'the last 10 agents': agentsBy([CREATED]),
    'the first 10 agents': agentsBy([{ ...CREATED, descending: false }]),
    '10 agents in the middle': agentsBy([CREATED], (middle) => [middle]),
    'the 10 agents that ran last': agentsBy([RAN]),
    'the 10 agents that ran first, by creation': agentsBy([{ ...RAN, descending: false }, CREATED]),
    '10 agents in the middle, by last run': agentsBy([RAN], (middle) => [middle]),
    '10 agents that never ran': agentsBy([RAN], () => [null]),
    '10 agents that never ran, by creation': agentsBy([RAN, CREATED], (middle) => [null, middle]),
    'the 10 agents that ran first of those that ran behind a time': agentsBy([{ ...RAN, descending: false }], undefined, {
      kind: 'time',
      column: 'last_run_time',
      after: 20,
      before: undefined,
    }),
    'agents, few of which ran in a span': agentsBy([CREATED], undefined, {
      kind: 'time',
      column: 'last_run_time',
      after: 20,
      before: 30,
    }),
    'what subscriptions and agents wait for': (db) => findAwaitedChanges(db, workspaceId, changeTypes),
    'levels of 50 agents': (db, { sessions }) => findAgentLevels(db, viewerOf(sessions), sessions.agentIds.slice(-50)),
    'whether there are few agents': (db, { sessions }) => listFewAgents(db, viewerOf(sessions), SIZE),
    '50 sessions by id': (db, { sessions }) => findSessions(db, workspaceId, sessions.sessionIds.slice(-50)),
  }
}
