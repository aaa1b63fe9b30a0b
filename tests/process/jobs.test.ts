import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FinalFailure, type Job } from '../../server/domain/shared/jobs/job.ts'
import { enqueue } from '../../server/domain/shared/jobs/queue.ts'
import { JobWorld, kindOf, mark } from '../harness/jobs.ts'

let world: JobWorld
beforeEach(async () => {
  world = await JobWorld.make()
})
afterEach(() => world.end())

const [FIRST, SECOND] = ['10000000-0000-4000-8000-000000000001', '20000000-0000-4000-8000-000000000002']

describe('a claim of jobs', () => {
  it('takes at most fifty due jobs at a time', async () => {
    const kind = kindOf('many', { atOnce: 2 })
    await world.database.write(async (db) => {
      for (let index = 0; index < 130; index += 1)
        await enqueue(db, { kind: 'many', payload: {}, dueTime: world.clock.now(), workspaceId: index < 120 ? FIRST : SECOND })
    })
    const inState = async (state: string): Promise<number> => (await world.jobs()).filter((job) => job.state === state).length
    const seen: [number, number][] = []
    for (let looks = 0; looks < 3; looks += 1) {
      for (const attempt of await world.claim([kind])) await attempt.run()
      seen.push([await inState('waiting'), await inState('ready')])
    }
    expect(seen).toEqual([
      [80, 48],
      [30, 96],
      [0, 124],
    ])
  })
})

describe('attempts of jobs', () => {
  it("store a job's effects and its next state in one transaction", async () => {
    const fates: ('held' | number | undefined)[] = ['held', world.clock.now() + 1_000, 'held', undefined]
    const kind = kindOf('in steps', {
      run: async (_job, attempt) => {
        for (let fate: (typeof fates)[number] = 'held'; fate === 'held';) {
          fate = fates.shift()
          expect(await attempt.settle(async (db) => (await mark(db, `${fates.length} left`), fate))).toBe(true)
        }
        expect(await attempt.settle(async (db) => void (await mark(db, 'too late')))).toBe(false)
      },
    })
    await world.add({ kind: 'in steps' })
    expect(await world.step(kind)).toEqual([undefined])
    expect(await world.jobs()).toEqual([{ kind: 'in steps', state: 'waiting', attempts: 0, error: null }])
    world.clock.advance(999)
    expect(await world.step(kind)).toEqual([])
    world.clock.advance(1)
    expect(await world.step(kind)).toEqual([undefined])
    expect(await world.jobs()).toEqual([])
    expect((await world.marks()).toSorted()).toEqual(['0 left', '1 left', '2 left', '3 left'])
  })

  it('are repeated after each pause, within a tenth of its length, until the job is dead with its error', async () => {
    const seen: Job[] = []
    const deaths: unknown[] = []
    const kind = kindOf('failing', {
      pauses: [2_000, 8_000, 32_000],
      run: async (job) => {
        seen.push(job)
        throw new Error(`failed with Bearer abcdefgh at postgres://user:hidden@db/x`)
      },
      died: async (db, { payload }, error) => {
        deaths.push(payload, error)
        await mark(db, 'died')
      },
    })
    await world.add({ kind: 'failing', workspaceId: FIRST, payload: { n: 1 } })
    for (const [index, milliseconds] of [2_000, 8_000, 32_000].entries()) {
      expect(await world.step(kind)).toMatchObject([{ fate: 'postponed' }])
      expect(await world.jobs()).toMatchObject([{ state: 'waiting', attempts: index + 1 }])
      world.clock.advance(milliseconds * 0.9 - 1)
      expect(await world.step(kind)).toEqual([])
      world.clock.advance(milliseconds * 0.2 + 1)
    }
    expect(await world.marks()).toEqual([])
    expect(await world.step(kind)).toMatchObject([{ fate: 'dead' }])
    expect(seen.map(({ attempts, workspaceId }) => [attempts, workspaceId])).toEqual([1, 2, 3, 4].map((n) => [n, FIRST]))
    const error = 'failed with Bearer [redacted] at postgres://user:[redacted]@db/x'
    expect(await world.jobs()).toEqual([{ kind: 'failing', state: 'dead', attempts: 4, error }])
    expect(deaths).toEqual([{ n: 1 }, expect.any(Error)])
    expect(await world.marks()).toEqual(['died'])
    world.clock.advance(86_400_000)
    expect(await world.step(kind)).toEqual([])
  })

  it('end with a dead job at once after a permanent failure', async () => {
    const kind = kindOf('final', {
      run: async () => {
        throw new FinalFailure('no such host')
      },
    })
    await world.add({ kind: 'final' })
    expect(await world.step(kind)).toMatchObject([{ fate: 'dead' }])
    expect(await world.jobs()).toEqual([{ kind: 'final', state: 'dead', attempts: 1, error: 'no such host' }])
  })

  it('of a dead process are repeated when their lease expires, and their late changes are discarded', async () => {
    const kind = kindOf('held', {
      run: async (job, attempt) => {
        await attempt.finish(async (db) => void (await mark(db, `attempt ${job.attempts}`)))
      },
    })
    await world.add({ kind: 'held' })
    const [dead] = await world.claim([kind])
    world.clock.advance(59_999)
    expect(await world.step(kind)).toEqual([])
    world.clock.advance(1)
    const [second] = await world.claim([kind])
    expect(second?.job.attempts).toBe(2)
    expect(await dead?.extend(60_000)).toBe(false)
    expect(await dead?.whileHeld(async (db) => void (await mark(db, 'late')))).toBe(false)
    expect(await dead?.continueAt(0, async (db) => void (await mark(db, 'late')))).toBe(false)
    expect([await dead?.run(), dead?.signal.aborted]).toEqual([undefined, true])
    expect(await world.marks()).toEqual([])
    expect(await second?.run()).toBe(undefined)
    expect([await world.marks(), await world.jobs()]).toEqual([['attempt 2'], []])
  })

  it('keep a job that extends its lease, until repeated deaths of processes make the job dead', async () => {
    const kind = kindOf('deadly', { pauses: [0] })
    await world.add({ kind: 'deadly' })
    const [first] = await world.claim([kind])
    world.clock.advance(59_000)
    expect(await first?.extend(60_000)).toBe(true)
    world.clock.advance(59_000)
    expect(await world.claim([kind])).toEqual([])
    world.clock.advance(1_000)
    expect(await world.claim([kind])).toHaveLength(1)
    world.clock.advance(60_000)
    expect(await world.step(kind)).toMatchObject([{ fate: 'dead' }])
    expect(await world.jobs()).toMatchObject([{ state: 'dead', error: 'the process died during each of the last 2 attempts' }])
  })

  it('end when the process died twice in a row, even with attempts left, and the reason is stored', async () => {
    const kind = kindOf('deadly', { pauses: [0, 0, 0, 0, 0] })
    const recurring = kindOf('recurring', { every: 60_000 })
    for (const name of ['deadly', 'recurring']) await world.add({ kind: name })
    for (let n = 0; n < 2; n += 1) {
      expect(await world.claim([kind, recurring])).toHaveLength(2)
      world.clock.advance(60_000)
    }
    expect(await world.step(kind, recurring)).toMatchObject([{ fate: 'dead' }, { fate: 'postponed' }])
    const error = 'the process died during each of the last 2 attempts'
    expect(await world.jobs()).toMatchObject([
      { kind: 'deadly', state: 'dead', error },
      { kind: 'recurring', state: 'waiting', attempts: 0, error },
    ])
    world.clock.advance(70_000)
    expect(await world.step(recurring)).toEqual([undefined])
  })

  it('are repeated when one attempt ended between two deaths, or the process that lost the job is alive', async () => {
    const outcomes = [new Error('no'), undefined]
    const kind = kindOf('often', {
      pauses: [0, 0, 0, 0, 0],
      run: async () => {
        const error = outcomes.shift()
        if (error) throw error
      },
    })
    await world.add({ kind: 'often' })
    await world.claim([kind])
    world.clock.advance(60_000)
    expect(await world.step(kind)).toMatchObject([{ fate: 'postponed' }])
    let [alive] = await world.claim([kind])
    for (let n = 0; n < 2; n += 1) {
      world.clock.advance(60_000)
      const [next] = await world.claim([kind])
      expect(await alive?.extend(60_000)).toBe(false)
      alive = next
    }
    world.clock.advance(60_000)
    expect(await world.step(kind)).toEqual([undefined])
  })

  it('are rolled back when they fail, and their job remains', async () => {
    const kind = kindOf('half', {
      run: async (job, attempt) => {
        await attempt.finish(async (db) => {
          await mark(db, `attempt ${job.attempts}`)
          if (job.attempts === 1) throw new Error('no')
        })
      },
    })
    await world.add({ kind: 'half' })
    await world.step(kind)
    expect([await world.marks(), await world.jobs()]).toMatchObject([[], [{ state: 'waiting', error: 'no' }]])
    world.clock.advance(10_000)
    await world.step(kind)
    expect([await world.marks(), await world.jobs()]).toEqual([['attempt 2'], []])
  })

  it('of a job in steps start over at the time that the job sets', async () => {
    const kind = kindOf('steps', {
      run: async ({ attempts }, attempt) => {
        if (attempts < 3 && (await world.marks()).length < 1) throw new Error('not yet')
        const isLast = (await world.marks()).length === 1
        const step = async (db: Parameters<typeof mark>[0]): Promise<void> => void (await mark(db, isLast ? 'second' : 'first'))
        await (isLast ? attempt.finish(step) : attempt.continueAt(world.clock.now() + 5_000, step))
      },
    })
    await world.add({ kind: 'steps' })
    for (let step = 0; step < 3; step += 1) {
      await world.step(kind)
      world.clock.advance(20_000 - (step === 2 ? 15_001 : 0))
    }
    expect([await world.marks(), await world.jobs()]).toMatchObject([['first'], [{ state: 'waiting', attempts: 0, error: null }]])
    expect(await world.step(kind)).toEqual([])
    world.clock.advance(1)
    expect(await world.step(kind)).toEqual([undefined])
    expect([(await world.marks()).sort(), await world.jobs()]).toEqual([['first', 'second'], []])
  })

  it('of a recurring job never make it dead: after the last one, the job waits for its next time', async () => {
    let runs = 0
    const kind = kindOf('recurring', {
      every: 60_000,
      pauses: [1_000],
      run: async () => {
        runs += 1
        if (runs <= 2) throw new Error('no')
      },
    })
    await world.add({ kind: 'recurring', key: 'only' })
    for (const [milliseconds, attempts] of [
      [1_100, 1],
      [66_000, 0],
      [66_000, 0],
    ] as const) {
      await world.step(kind)
      expect(await world.jobs()).toMatchObject([{ state: 'waiting', attempts, error: runs <= 2 ? 'no' : null }])
      world.clock.advance(milliseconds)
    }
    await world.step(kind)
    expect(runs).toBe(4)
  })
})

describe('keys of jobs', () => {
  it('keep a job from being added again in its workspace, but not one of another kind, workspace or key', async () => {
    const kind = kindOf('keyed', { atOnce: 10 })
    await world.add({ kind: 'keyed', workspaceId: FIRST, key: 'a', payload: { n: 1 } })
    await world.add({ kind: 'keyed', workspaceId: FIRST, key: 'a', payload: { n: 2 } })
    await world.add({ kind: 'keyed', workspaceId: FIRST, key: 'b', payload: { n: 3 } })
    await world.add({ kind: 'keyed', workspaceId: SECOND, key: 'a', payload: { n: 4 } })
    await world.add({ kind: 'keyed', workspaceId: FIRST, payload: { n: 5 } })
    await world.add({ kind: 'other', workspaceId: FIRST, key: 'a', payload: { n: 6 } })
    const payloads = (await world.claim([kind])).map(({ job }) => (job.payload as { n: number }).n)
    expect(payloads.sort()).toEqual([1, 3, 4, 5])
  })

  it('make a running job due once more when requested again, however it ends', async () => {
    const kind = kindOf('keyed', {})
    for (const end of ['finish', 'return', 'continue'] as const) {
      await world.add({ kind: 'keyed', workspaceId: FIRST, key: 'a' })
      const [attempt] = await world.claim([kind])
      for (const dueTime of [5_000, 1_000, 9_000])
        await world.add({ kind: 'keyed', workspaceId: FIRST, key: 'a', dueTime: world.clock.now() + dueTime })
      if (end === 'finish') await attempt?.finish()
      else if (end === 'return') await attempt?.run()
      else await attempt?.continueAt(world.clock.now() + 3_000)
      world.clock.advance(999)
      expect(await world.step(kind)).toEqual([])
      world.clock.advance(1)
      expect(await world.step(kind), end).toEqual([undefined])
      expect(await world.jobs()).toEqual([])
    }
  })

  it('are not blocked by a dead job', async () => {
    const kind = kindOf('keyed', {
      run: async () => {
        throw new FinalFailure('no')
      },
    })
    for (let times = 0; times < 2; times += 1) {
      await world.add({ kind: 'keyed', key: 'a' })
      await world.step(kind)
    }
    expect((await world.jobs()).map(({ state }) => state)).toEqual(['dead', 'dead'])
  })
})
