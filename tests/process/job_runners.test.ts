import { FinalFailure } from '../../server/domain/shared/jobs/job.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enqueue, JobQueue } from '../../server/domain/shared/jobs/queue.ts'
import { JobWorld, kindOf, mark } from '../harness/jobs.ts'
import { until } from '../harness/process.ts'
import { Wire } from '../harness/wire.ts'
import { on } from '../harness/databases.ts'

let world: JobWorld
beforeEach(async () => {
  world = await JobWorld.make()
})
afterEach(() => world.end())

const [FIRST, SECOND] = ['10000000-0000-4000-8000-000000000001', '20000000-0000-4000-8000-000000000002']

describe('fair scheduling of jobs', () => {
  it('alternates between workspaces, however many jobs one of them has', async () => {
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

  it('gives a job of each workspace a slot before a second job of any', async () => {
    const kind = kindOf('many', { atOnce: 3 })
    for (let n = 0; n < 5; n += 1) await world.add({ kind: 'many', workspaceId: FIRST })
    world.clock.advance(1)
    for (const workspaceId of [SECOND, undefined]) await world.add({ kind: 'many', ...(workspaceId && { workspaceId }) })
    const taken = (await world.claim([kind])).map(({ job }) => job.workspaceId)
    expect(new Set(taken)).toEqual(new Set([FIRST, SECOND, null]))
  })

  it('keeps a failing or hanging kind of job from delaying other kinds and from using more than its own slots', async () => {
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

describe('job runners', () => {
  it('share the jobs of one database, and each job takes effect once', async () => {
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
    expect((await world.marks()).sort()).toEqual([...attempts.keys()].sort())
  })

  it('notify their jobs when stopping, wait for them, and return unfinished ones to others without counting an attempt', async () => {
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

  it('stop an attempt that exceeds its lease, and count it as failed', async () => {
    const kind = kindOf('slow', {
      atOnce: 1,
      run: (_job, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    })
    await world.add({ kind: 'slow' })
    const { runner } = world.start([kind])
    await until(() => (runner.running().get('slow') === 1 ? true : undefined))
    world.clock.advance(60_000)
    const isOver = async (): Promise<boolean> => (await world.jobs())[0]?.error === 'the attempt exceeded its time limit'
    await until(async () => ((await isOver()) ? true : undefined))
  })

  it('run one job of each recurring kind, however many runners there are, and log failures', async () => {
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

  it('wake up only for commits that add a job', async () => {
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

on('postgresql', describe)('an unavailable database', () => {
  it('interrupts the jobs of a runner, which runs them again afterwards', async () => {
    const wire = new Wire(world.url)
    const url = await wire.restore()
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
    expect(await world.marks()).toEqual([])
    world.clock.advance(60_000)
    await wire.restore()
    await until(async () => ((await world.marks()).length > 0 ? true : undefined))
    expect([attempts, await world.marks()]).toEqual([[1, 2], ['attempt 2']])
    wire.cut()
  })
})
