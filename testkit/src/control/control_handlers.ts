import { newestRelease } from '../../../generated/operations.ts'
import type { components } from '../../../generated/control_types.ts'
import { ServiceError, validationError } from '@workspace-service/server/kernel/errors.ts'
import type { TestServer } from '../create_test_server.ts'
import { reset } from '../reset.ts'
import { UnknownSnapshot } from '../snapshots.ts'
import type { TestWorkspace } from '../test_workspace.ts'
import type { ControlHandlers } from './control_calls.ts'
import { createWireAgent, scriptTurns, wireTurns } from './wire_agents.ts'
import { seeded } from './wire_seeds.ts'
import { WireFaults } from './wire_faults.ts'
import { wireJournal } from './wire_journal.ts'

type Schemas = components['schemas']

const SNAPSHOTS_MAX = 100
const ENTRIES_USUAL = 100

/** The handlers of the control API, each of which calls the test kit. */
export function controlHandlers(server: TestServer): ControlHandlers {
  const faults = new WireFaults(server.faults)
  const oneByOne = serializer()
  return {
    retrieveServer: () => wireServer(server),
    resetServer: () => oneByOne(() => reset(server).then(() => wireServer(server))),
    settleServer: () => server.settled().then(() => wireServer(server)),
    createWorkspace: ({ body }) => oneByOne(async () => wireWorkspace(await server.createWorkspace(body.name))),
    createSeed: ({ body, query }) => oneByOne(() => seeded(server, body, query.workspace_id)),
    createAgent: ({ body, query }) => oneByOne(() => createWireAgent(server, body, query.workspace_id)),
    createAgentScripts: ({ path, body, query }) =>
      oneByOne(() => scriptTurns(server, path.agent_id, body.turns, query.workspace_id)),
    listAgentTurns: ({ query }) => wireTurns(server.agentTurns, query.agent_id),
    createSnapshot: ({ body }) => oneByOne(() => snapshot(server, body.name)),
    restoreSnapshot: ({ path }) => oneByOne(() => restore(server, path.name)),
    retrieveClock: () => wireClock(server),
    updateClock: ({ body }) => oneByOne(() => moved(server, 'body.time', body.time, () => server.clock.set(body.time))),
    advanceClock: ({ body }) => oneByOne(() => moved(server, 'body', body, () => server.clock.advance(body))),
    listFaults: () => faults.list(),
    createFault: ({ body }) => (faults.add(body), faults.list()),
    deleteFaults: () => (server.faults.clear(), faults.list()),
    deleteFault: ({ path }) => (faults.remove(path.fault_id), faults.list()),
    createPresetFaults: ({ body }) => (faults.addPreset(body), faults.list()),
    listJournalEntries({ query: { operation, limit = ENTRIES_USUAL } }) {
      const entries = server.journal.entries.filter((entry) => operation === undefined || entry.operation === operation)
      return wireJournal(entries.slice(-limit), (rule) => faults.written(rule))
    },
    deleteJournalEntries: () => (server.journal.clear(), wireJournal([], (rule) => faults.written(rule))),
    retrieveJournalSeed() {
      const { seed, leftOut } = server.journal.toSeed()
      return { object: 'journal_seed', seed: { ...seed }, left_out: leftOut.map((one) => ({ ...one })) }
    },
    retrieveJournalExamples: () => ({ object: 'journal_examples', examples: server.journal.toExamples() }),
    retrieveJournalHar() {
      const { log } = server.journal.toHar()
      return { object: 'journal_har', har: { log: { ...log, entries: [...log.entries] } } }
    },
  }
}

/** Runs one task at a time. */
function serializer(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work, work)
    last = next
    return next
  }
}

function wireServer(server: TestServer): Schemas['TestServer'] {
  return {
    object: 'test_server',
    url: server.url,
    version: newestRelease,
    workspace: wireWorkspace(server.workspace),
    workspaces: server.workspaces.map(wireWorkspace),
    snapshots: [...server.snapshots],
  }
}

function wireWorkspace({ id, token, connectionId, botId, owner }: TestWorkspace): Schemas['TestWorkspace'] {
  return { object: 'test_workspace', id, token, connection_id: connectionId, bot_id: botId, owner }
}

function wireClock({ clock }: TestServer): Schemas['Clock'] {
  return { object: 'clock', time: clock.now().toISOString(), is_stopped: clock.isStopped }
}

async function snapshot(server: TestServer, name: string): Promise<Schemas['TestServer']> {
  if (server.snapshots.length >= SNAPSHOTS_MAX && !server.snapshots.includes(name))
    throw validationError('body.name', `one of the existing names, because at most ${SNAPSHOTS_MAX} snapshots are stored`, name)
  await server.snapshot(name)
  return wireServer(server)
}

async function restore(server: TestServer, name: string): Promise<Schemas['TestServer']> {
  try {
    await server.restore(name)
  } catch (error) {
    if (error instanceof UnknownSnapshot) throw new ServiceError('object_not_found', { message: error.message })
    throw error
  }
  return wireServer(server)
}

async function moved(server: TestServer, place: string, value: unknown, work: () => Promise<void>): Promise<Schemas['Clock']> {
  try {
    await work()
  } catch (error) {
    if (error instanceof RangeError) throw validationError(place, 'a time from the year 1900 to the year 9999', value)
    throw error
  }
  return wireClock(server)
}
