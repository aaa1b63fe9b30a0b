import { randomUUID } from 'node:crypto'
import { afterEach, expect, it, vi } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import type { JobKind } from '../../server/domain/shared/jobs/job.ts'
import { FileVault } from '../../server/domain/files/vault.ts'
import { SessionFeed } from '../../server/domain/agents/sessions/feed.ts'
import { turnJob } from '../../server/domain/agents/sessions/jobs.ts'
import { sessionTurnKind } from '../../server/domain/agents/sessions/turn_job.ts'
import { openTemporaryFolder } from '../../server/store/files/folder.ts'
import { JobWorld } from '../harness/jobs.ts'
import { ScriptedAgents } from '../harness/scripted_agents.ts'

let world: JobWorld | undefined
afterEach(async () => {
  vi.useRealTimers()
  await world?.end()
})

/** A kind of job for turns of agents, each of which waits for a gate before its first transaction. */
function waitingKind({ database, clock }: JobWorld, gate: Promise<void>): JobKind {
  const { runtimes, tools } = new ScriptedAgents()
  const vault = new FileVault({ database, storage: openTemporaryFolder(), clock })
  const scopeOf = (): never => {
    throw new Error('a turn without a session has no scope')
  }
  const feed = new SessionFeed(database)
  const kind = sessionTurnKind({ database, now: () => clock.now(), feed, runtimes, tools, vault, scopeOf })
  const run: JobKind['run'] = (job, attempt) =>
    kind.run(job, {
      signal: attempt.signal,
      finish: (work) => attempt.finish(work),
      continueAt: (time, work) => attempt.continueAt(time, work),
      settle: (work) => attempt.settle(work),
      extend: (milliseconds) => attempt.extend(milliseconds),
      whileHeld: (work) => gate.then(() => attempt.whileHeld(work)),
    })
  return { ...kind, run }
}

it('a turn starts only once, even if its first transaction waits longer than the lease', async () => {
  world = await JobWorld.make()
  const gate = Promise.withResolvers<void>()
  const kind = waitingKind(world, gate.promise)
  const { clock, database } = world
  await world.add(turnJob(exampleWorkspace.workspace.id, randomUUID(), clock.now()))
  const [attempt] = await world.claim([kind])
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const running = attempt?.run()
  for (let waited = 0; waited < 3 * kind.leaseMilliseconds; waited += kind.leaseMilliseconds / 3) {
    clock.advance(kind.leaseMilliseconds / 3)
    await vi.advanceTimersByTimeAsync(kind.leaseMilliseconds / 3)
    // The extension of the lease is a separate transaction, which precedes this one.
    await database.write(async () => undefined)
  }
  expect(attempt?.signal.aborted).toBe(false)
  expect(await world.claim([kind])).toStrictEqual([])
  gate.resolve()
  expect(await running).toBeUndefined()
  expect(await world.jobs()).toStrictEqual([])
})
