import type { Transaction } from '../../../store/database.ts'
import { findTurn, listCalls, updateTurn, type CallRow, type TurnRow } from '../../../store/session_turns.ts'
import { recordRunStart } from '../credits.ts'
import { readUnlessDamaged } from '../../../store/stored/read_json.ts'
import type { RunOutput, Runtime } from '../runtime.ts'
import { FinalFailure, Interrupted, enqueue, whileExtending, type Attempt, type Job, type JobKind } from '../../shared/index.ts'
import type { AgentSnapshot } from './agents.ts'
import type { Follower } from './follower.ts'
import { limitJob, LIMITS_MS, TURN_KIND, type TurnPayload } from './jobs.ts'
import { committedBefore, runInput } from './run_input.ts'
import type { TurnDeps } from './turn_deps.ts'
import { TurnRun } from './turn_run.ts'
import { RunOver, TurnSteps, type RunKey, type TurnStep } from './turn_step.ts'
import { usageOf } from './usage.ts'
import { SessionWriter } from './writer.ts'

/** A turn whose process has died is retried once. */
const PAUSES = [500]
const LEASE_MS = 12_000
const AT_ONCE = 64

export function sessionTurnKind(deps: TurnDeps): JobKind {
  return {
    name: TURN_KIND,
    pauses: PAUSES,
    leaseMilliseconds: LEASE_MS,
    atOnce: AT_ONCE,
    // Measured from the claim: many turns of a workspace wait for each other before they begin.
    run: (job, attempt) => whileExtending(attempt, LEASE_MS, () => runTurn(deps, job, attempt)),
    died: (db, job, error) => failTurn(deps, db, job, error instanceof Interrupted),
  }
}

async function runTurn(deps: TurnDeps, job: Job, attempt: Attempt): Promise<void> {
  const key = await claimTurn(deps, job, attempt)
  if (!key) return
  const steps = new TurnSteps(deps, attempt, key)
  const watch = deps.feed.follow(key.workspaceId, { sessionId: key.sessionId, after: key.head }, key.head)
  const ending = new AbortController()
  const deadline = setTimeout(() => ending.abort(), Math.max(0, LIMITS_MS.turn - key.workedTime)).unref()
  try {
    // If the database cannot be read, the next step fails.
    void abortWhenStopped(watch, ending).catch(() => undefined)
    await work(deps, key, steps, AbortSignal.any([attempt.signal, ending.signal]))
  } catch (error) {
    if (!(error instanceof RunOver)) throw error
    await steps.recordRest()
  } finally {
    clearTimeout(deadline)
    ending.abort()
    watch.close()
  }
}

/** Aborts the runtime when the turn was ended elsewhere. */
async function abortWhenStopped(watch: Follower, ending: AbortController): Promise<void> {
  for await (const { type } of watch.frames('in_progress')) if (type === 'stream.end') ending.abort()
}

interface ClaimedTurn extends RunKey {
  readonly workedTime: number
  /** The number of the last event. */
  readonly head: number
}

/** @returns undefined if there is nothing to do for the session */
async function claimTurn(deps: TurnDeps, { workspaceId, payload }: Job, attempt: Attempt): Promise<ClaimedTurn | undefined> {
  // Only `turnJob` writes the payload.
  const { sessionId } = payload as TurnPayload
  if (workspaceId === null) return undefined
  let claimed: ClaimedTurn | undefined
  await attempt.whileHeld(async (db) => {
    claimed = undefined
    const now = deps.now()
    const writer = await SessionWriter.hold(db, workspaceId, sessionId, now)
    if (writer?.session.status !== 'queued' && writer?.session.status !== 'in_progress') return
    const stored = await findTurn(db, workspaceId, sessionId, writer.session.turn)
    const turn = writer.session.status === 'queued' ? await beginTurn(db, workspaceId, writer, stored, now) : stored
    const { session } = writer
    const workedTime = turn.worked_time + now - (turn.run_time ?? now)
    claimed = { workspaceId, sessionId, turn: session.turn, run: turn.run, workedTime, head: session.last_sequence }
  })
  deps.feed.committed(sessionId)
  return claimed
}

async function beginTurn(
  db: Transaction,
  workspaceId: string,
  writer: SessionWriter,
  stored: TurnRow,
  now: number,
): Promise<TurnRow> {
  const { id, agent_id: agentId } = writer.session
  const turn = { ...stored, run_sequence: writer.move('take') ?? stored.run_sequence, run_time: now }
  await writer.save()
  await updateTurn(db, workspaceId, id, turn)
  await recordRunStart(db, { workspaceId, agentId, now })
  await enqueue(db, limitJob(workspaceId, id, { limit: 'turn', turn: turn.turn, run: turn.run }, now))
  return turn
}

async function work(deps: TurnDeps, key: RunKey, steps: TurnSteps, signal: AbortSignal): Promise<void> {
  const start = await loadRun(key, steps)
  const runtime = deps.runtimes.for(start.snapshot.model)
  if (!runtime) return steps.fail({ code: 'agent_error', message: 'No runtime serves the model of the agent.', retryable: false })
  const model = publicName(start.snapshot, runtime)
  const run = new TurnRun(deps, key, steps, { calls: start.calls, committed: start.committed, model })
  try {
    await run.settleDecided()
    const input = await runInput(deps, key, { ...start.step, calls: start.calls, model })
    for await (const output of untilAborted(runtime.run(input, signal), signal)) await run.take(output)
    await run.end()
  } finally {
    run.stop()
  }
}

interface LoadedRun {
  readonly step: TurnStep
  readonly snapshot: AgentSnapshot
  readonly calls: CallRow[]
  readonly committed: Awaited<ReturnType<typeof committedBefore>>
}

async function loadRun(key: RunKey, steps: TurnSteps): Promise<LoadedRun> {
  const loaded = Promise.withResolvers<LoadedRun>()
  await steps.commit(async (step) => {
    const { db } = step.scope
    loaded.resolve({
      step,
      snapshot: snapshotIn(key, step.turn),
      calls: await listCalls(db, key.workspaceId, key.sessionId, key.turn),
      committed: await committedBefore(db, key, step.turn),
    })
  })
  return loaded.promise
}

/** @throws FinalFailure for a damaged agent: without its instructions it would act differently */
function snapshotIn({ sessionId }: RunKey, { agent }: TurnRow): AgentSnapshot {
  const snapshot = readUnlessDamaged('session_turns.agent', sessionId, agent)
  if (snapshot === undefined) throw new FinalFailure('the agent of the turn is damaged')
  return snapshot as AgentSnapshot
}

function publicName({ model }: AgentSnapshot, { models }: Runtime): string {
  return model.mode === 'pinned' && model.id !== null ? model.id : (models[0] ?? '')
}

/**
 * The outputs of a runtime until the signal aborts, which the runtime may notice late.
 * @throws RunOver at the signal
 */
async function* untilAborted(outputs: AsyncIterable<RunOutput>, signal: AbortSignal): AsyncGenerator<RunOutput, void, undefined> {
  const aborted = new Promise<'aborted'>((resolve) => {
    if (signal.aborted) resolve('aborted')
    else signal.addEventListener('abort', () => resolve('aborted'), { once: true })
  })
  const iterator = outputs[Symbol.asyncIterator]()
  for (;;) {
    const next = iterator.next()
    const first = await Promise.race([next, aborted])
    if (first === 'aborted' || signal.aborted) {
      next.catch(() => undefined)
      void iterator.return?.().catch(() => undefined)
      throw new RunOver('the run was stopped')
    }
    if (first.done) return
    yield first.value
  }
}

/** Ends a turn that neither the first process nor the second has completed. */
async function failTurn(deps: TurnDeps, db: Transaction, { workspaceId, payload }: Job, isInterrupted: boolean): Promise<void> {
  const { sessionId } = payload as TurnPayload
  if (workspaceId === null) return
  const writer = await SessionWriter.hold(db, workspaceId, sessionId, deps.now())
  if (!writer) return
  const turn = await findTurn(db, workspaceId, sessionId, writer.session.turn)
  const error = { code: 'agent_error', message: 'The agent could not finish this turn.', retryable: true } as const
  writer.move('fail', { error, ...usageOf(turn) }, !isInterrupted)
  await writer.save()
}
