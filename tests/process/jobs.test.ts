import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FinalFailure, type Job } from '../../server/domain/jobs/job.ts'
import { enqueue, JobQueue } from '../../server/domain/jobs/queue.ts'
import { JobWorld, kindOf } from '../harness/jobs.ts'
import { until } from '../harness/process.ts'
import { Wire } from '../harness/wire.ts'
import { on } from '../harness/databases.ts'

let world: JobWorld
beforeEach(async () => {
  world = await JobWorld.make()
})
afterEach(() => world.end())

const [FIRST, SECOND] = ['10000000-0000-4000-8000-000000000001', '20000000-0000-4000-8000-000000000002']

/** A table of a test's own stands for what jobs change. */
const mark = (db: { run(sql: string, ...values: string[]): Promise<number> }, text: string): Promise<number> =>
  db.run('insert into instance (name, value) values (?, ?)', text, 'done')
const marks = async (): Promise<string[]> =>
  (await world.database.read((db) => db.all({ name: 'text' }, `select name from instance where value = 'done'`))).map(
    ({ name }) => name,
  )

describe('a look', () => {
  it('makes fifty jobs ready, however many are due, and the others later', async () => {
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

describe('attempts', () => {
  it('what a job has done says in the same transaction whether it goes on, is due again, or is done', async () => {
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
    expect((await marks()).toSorted()).toEqual(['0 left', '1 left', '2 left', '3 left'])
  })

  it('what fails is tried again after each pause, give or take a tenth; then it is dead, with its error', async () => {
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
    expect(await marks()).toEqual([])
    expect(await world.step(kind)).toMatchObject([{ fate: 'dead' }])
    expect(seen.map(({ attempts, workspaceId }) => [attempts, workspaceId])).toEqual([1, 2, 3, 4].map((n) => [n, FIRST]))
    const error = 'failed with Bearer [redacted] at postgres://user:[redacted]@db/x'
    expect(await world.jobs()).toEqual([{ kind: 'failing', state: 'dead', attempts: 4, error }])
    expect(deaths).toEqual([{ n: 1 }, expect.any(Error)])
    expect(await marks()).toEqual(['died'])
    world.clock.advance(86_400_000)
    expect(await world.step(kind)).toEqual([])
  })

  it('a failure that no attempt can mend makes the job dead at once', async () => {
    const kind = kindOf('final', {
      run: async () => {
        throw new FinalFailure('no such host')
      },
    })
    await world.add({ kind: 'final' })
    expect(await world.step(kind)).toMatchObject([{ fate: 'dead' }])
    expect(await world.jobs()).toEqual([{ kind: 'final', state: 'dead', attempts: 1, error: 'no such host' }])
  })

  it('an attempt whose process died is made again when its lease is over, and what the dead one still does is not kept', async () => {
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
    expect(await marks()).toEqual([])
    expect(await second?.run()).toBe(undefined)
    expect([await marks(), await world.jobs()]).toEqual([['attempt 2'], []])
  })

  it('a job that asks for more time keeps it, and one whose processes die each time is dead in the end', async () => {
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
    expect(await world.jobs()).toMatchObject([{ state: 'dead', error: 'each attempt was interrupted' }])
  })

  it('what an attempt has written is gone when it fails, and its job is still there', async () => {
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
    expect([await marks(), await world.jobs()]).toMatchObject([[], [{ state: 'waiting', error: 'no' }]])
    world.clock.advance(10_000)
    await world.step(kind)
    expect([await marks(), await world.jobs()]).toEqual([['attempt 2'], []])
  })

  it('a job in steps is due again when it says, its attempts counted from the start', async () => {
    const kind = kindOf('steps', {
      run: async ({ attempts }, attempt) => {
        if (attempts < 3 && (await marks()).length < 1) throw new Error('not yet')
        const isLast = (await marks()).length === 1
        const step = async (db: Parameters<typeof mark>[0]): Promise<void> => void (await mark(db, isLast ? 'second' : 'first'))
        await (isLast ? attempt.finish(step) : attempt.continueAt(world.clock.now() + 5_000, step))
      },
    })
    await world.add({ kind: 'steps' })
    for (let step = 0; step < 3; step += 1) {
      await world.step(kind)
      world.clock.advance(20_000 - (step === 2 ? 15_001 : 0))
    }
    expect([await marks(), await world.jobs()]).toMatchObject([['first'], [{ state: 'waiting', attempts: 0, error: null }]])
    expect(await world.step(kind)).toEqual([])
    world.clock.advance(1)
    expect(await world.step(kind)).toEqual([undefined])
    expect([(await marks()).sort(), await world.jobs()]).toEqual([['first', 'second'], []])
  })

  it('a recurring job never dies: after its last attempt it waits for its next time', async () => {
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

describe('keys', () => {
  it('a job whose key waits is not added again in its workspace; another kind, workspace or key is', async () => {
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

  it('a job whose key is asked for while it runs is due once more when it has finished, however it finishes', async () => {
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

  it('a dead job stands in nobody’s way', async () => {
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

describe('turns', () => {
  it('each workspace has its turn, however many jobs another one has', async () => {
    const kind = kindOf('many', { atOnce: 1 })
    for (let n = 0; n < 20; n += 1) await world.add({ kind: 'many', workspaceId: FIRST })
    world.clock.advance(1)
    await world.add({ kind: 'many' })
    await world.add({ kind: 'many', workspaceId: SECOND })
    const turns: (string | null)[] = []
    for (let n = 0; n < 6; n += 1) {
      const [attempt] = await world.claim([kind], turns.at(-1) ?? null)
      turns.push(attempt?.job.workspaceId ?? null)
      await attempt?.run()
    }
    expect(turns).toEqual([FIRST, SECOND, null, FIRST, FIRST, FIRST])
  })

  it('one look takes a job of each workspace before a second one of any', async () => {
    const kind = kindOf('many', { atOnce: 3 })
    for (let n = 0; n < 5; n += 1) await world.add({ kind: 'many', workspaceId: FIRST })
    world.clock.advance(1)
    for (const workspaceId of [SECOND, undefined]) await world.add({ kind: 'many', ...(workspaceId && { workspaceId }) })
    const taken = (await world.claim([kind])).map(({ job }) => job.workspaceId)
    expect(new Set(taken)).toEqual(new Set([FIRST, SECOND, null]))
  })

  it('a kind that fails or hangs does not keep others from running, nor more of them from running than may', async () => {
    const gate = Promise.withResolvers<void>()
    const done: string[] = []
    let [hanging, hangingMax] = [0, 0]
    const kinds = [
      kindOf('hangs', {
        atOnce: 3,
        run: async () => {
          hangingMax = Math.max(hangingMax, (hanging += 1))
          await gate.promise
          hanging -= 1
        },
      }),
      kindOf('breaks', {
        run: () => {
          throw new TypeError('a fault in the kind itself')
        },
        died: async () => {
          throw new TypeError('and in what it leaves behind')
        },
      }),
      kindOf('works', { run: async ({ payload }) => void done.push(JSON.stringify(payload)) }),
    ]
    for (let n = 0; n < 8; n += 1) for (const { name } of kinds) await world.add({ kind: name, payload: { n } })
    const { database } = world.start(kinds)
    await until(() => (done.length === 8 ? true : undefined))
    await world.add({ kind: 'works', payload: { n: 8 } }, database)
    await until(() => (done.length === 9 ? true : undefined))
    expect([hanging, hangingMax]).toEqual([3, 3])
    gate.resolve()
    await until(async () => ((await world.jobs()).every(({ kind }) => kind === 'breaks') ? true : undefined))
    expect(hangingMax).toBe(3)
  })
})

describe('runners', () => {
  it('two on one database share the jobs, each of which has its effect once', async () => {
    const attempts = new Map<string, number>()
    const kind = kindOf('shared', {
      atOnce: 4,
      pauses: [0, 0, 0],
      run: async (job, attempt) => {
        attempts.set(job.id, (attempts.get(job.id) ?? 0) + 1)
        await attempt.finish(async (db) => void (await mark(db, job.id)))
      },
    })
    for (let n = 0; n < 60; n += 1) await world.add({ kind: 'shared', workspaceId: n % 3 === 0 ? FIRST : SECOND })
    for (let n = 0; n < 2; n += 1) world.start([kind])
    await until(async () => ((await world.jobs()).length === 0 ? true : undefined))
    expect([...attempts.values()]).toEqual(Array.from({ length: 60 }, () => 1))
    expect((await marks()).sort()).toEqual([...attempts.keys()].sort())
  })

  it('one that stops lets its jobs know, waits for them, and leaves them to another, uncounted', async () => {
    const order: string[] = []
    const kind = kindOf('long', {
      run: async ({ attempts }, { signal }) => {
        order.push(`attempt ${attempts}`)
        if (order.length > 2) return
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        order.push('aborted')
      },
    })
    await world.add({ kind: 'long' })
    const { runner } = world.start([kind])
    await until(() => (order.length === 1 ? true : undefined))
    expect(runner.running()).toEqual(new Map([['long', 1]]))
    await runner.stop()
    expect(order).toEqual(['attempt 1', 'aborted'])
    expect(await world.jobs()).toEqual([{ kind: 'long', state: 'waiting', attempts: 0, error: null }])
    world.start([kind])
    await until(() => (order.length === 3 ? true : undefined))
    expect(order[2]).toBe('attempt 1')
  })

  it('one whose attempt takes longer than its lease stops it and counts it as failed', async () => {
    const kind = kindOf('slow', {
      atOnce: 1,
      run: (_job, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    })
    await world.add({ kind: 'slow' })
    const { runner } = world.start([kind])
    await until(() => (runner.running().get('slow') === 1 ? true : undefined))
    world.clock.advance(60_000)
    const isOver = async (): Promise<boolean> => (await world.jobs())[0]?.error === 'the attempt took longer than it may'
    await until(async () => ((await isOver()) ? true : undefined))
  })

  it('each has one job of a recurring kind, however many there are, and tells what fails in its log', async () => {
    const lines: string[] = []
    const kinds = [
      kindOf('recurring', { every: 60_000 }),
      kindOf('failing', {
        run: async () => {
          throw new FinalFailure('no such host')
        },
      }),
    ]
    for (let n = 0; n < 3; n += 1) world.start(kinds, (line) => lines.push(line))
    await world.add({ kind: 'failing' })
    await until(() => (lines.length > 0 ? true : undefined))
    const { runner } = world.start(kinds)
    await runner.stop()
    expect((await world.jobs()).map(({ kind, state }) => [kind, state])).toEqual([
      ['failing', 'dead'],
      ['recurring', 'waiting'],
    ])
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { level: 50, kind: 'failing', attempt: 1, msg: 'a job failed: dead', err: { message: 'no such host' } },
    ])
  })

  it('are woken by a commit that adds a job, not by others', async () => {
    const queue = new JobQueue()
    const database = queue.watching(world.database)
    let isWoken = false
    void queue.woken.then(() => (isWoken = true))
    await database.write((db) => mark(db, 'nothing to do'))
    const failed = database.write(async (db) => {
      await enqueue(db, { kind: 'any', payload: {}, dueTime: 0 })
      throw new Error('rolled back')
    })
    await expect(failed).rejects.toThrow('rolled back')
    await database.write((db) => mark(db, 'nothing to do either'))
    expect(isWoken).toBe(false)
    await world.add({ kind: 'any' }, database)
    expect(isWoken).toBe(true)
  })
})

on('postgresql', describe)('a database that goes away', () => {
  it('keeps jobs from running, and no longer: what was running is begun again', async () => {
    const wire = new Wire(world.url)
    const url = await wire.mend()
    const attempts: number[] = []
    const kind = kindOf('patient', {
      run: async (job, attempt) => {
        attempts.push(job.attempts)
        if (attempts.length === 1) wire.cut()
        await attempt.finish(async (db) => void (await mark(db, `attempt ${job.attempts}`)))
      },
    })
    const { runner } = world.start([kind], undefined, url)
    await world.add({ kind: 'patient' })
    await until(() => (attempts.length === 1 ? true : undefined))
    await until(() => (runner.running().get('patient') === 0 ? true : undefined))
    expect(await marks()).toEqual([])
    world.clock.advance(60_000)
    await wire.mend()
    await until(async () => ((await marks()).length > 0 ? true : undefined))
    expect([attempts, await marks()]).toEqual([[1, 2], ['attempt 2']])
    wire.cut()
  })
})
