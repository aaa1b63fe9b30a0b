import fc from 'fast-check'
import { expect, it } from 'vitest'
import { coalesce, windowsOf, type RecordedChange } from '../../../server/domain/events/coalesce.ts'
import type { EventType } from '../../../server/domain/events/event_types.ts'

/** Changes of a data source, which has every kind of change; `p` and `q` are properties, `r` and `s` rows, `A` and `B` parents. */
type Step =
  | 'created'
  | 'deleted'
  | 'undeleted'
  | `moved to ${'A' | 'B'}`
  | `row ${'r' | 's'}`
  | `${'add' | 'change' | 'drop'} ${'p' | 'q'}`

const steps: readonly Step[] = [
  ...(['created', 'deleted', 'undeleted', 'moved to A', 'moved to B', 'row r', 'row s'] as const),
  ...(['add p', 'change p', 'drop p', 'add q', 'change q', 'drop q'] as const),
]
const actions = { add: 'created', change: 'updated', drop: 'deleted' } as const

/** Valid sequences of changes of a data source: nothing is created twice, and removed parts are not removed again. */
const lives = fc
  .tuple(fc.array(fc.constantFrom(...steps), { maxLength: 30, size: 'max' }), fc.constantFrom('nowhere', 'there', 'in the trash'))
  .map(([steps, start]) => {
    let state: string = start
    let location = 'A'
    const properties = new Map([['q', state !== 'nowhere']])
    const gone = new Set<string>()
    const life: { step: Step; from: string }[] = []
    for (const step of steps) {
      const [verb = '', name = ''] = step.split(' ')
      const has = properties.get(name) ?? false
      const isPossible =
        step === 'created'
          ? state === 'nowhere'
          : step === 'undeleted'
            ? state === 'in the trash'
            : state === 'there' &&
              (verb === 'add'
                ? !has && !gone.has(name)
                : verb === 'change' || verb === 'drop'
                  ? has
                  : step !== `moved to ${location}`)
      if (!isPossible) continue
      life.push({ step, from: location })
      if (step === 'created' || step === 'undeleted') state = 'there'
      if (step === 'deleted') state = 'in the trash'
      if (verb === 'moved') location = step.slice(-1)
      if (verb === 'add') properties.set(name, true)
      if (verb === 'drop') gone.add(name)
      if (verb === 'drop') properties.set(name, false)
    }
    return { start, life }
  })

function recordedChangeOf({ step, from }: { step: Step; from: string }, index: number): RecordedChange {
  const [verb = '', name = ''] = step.split(' ')
  const common = { time: index, authorId: `author ${index % 3}`, listeners: { everybody: '2026-03-11' } }
  const made = (action: string, details: object = {}): RecordedChange => {
    return { ...common, type: `data_source.${action}` as EventType, details: { ...details } }
  }
  if (verb === 'moved') return made('moved', { from: { parentId: from }, to: { parentId: step.slice(-1) } })
  if (verb === 'row') return made('content_updated', { rows: [name] })
  if (verb === 'add' || verb === 'change' || verb === 'drop')
    return made('schema_updated', { properties: [{ id: name, action: actions[verb] }] })
  return made(step)
}

/** The events that the contract requires, derived from the states before and after. */
function plainReading(start: string, life: readonly { step: Step; from: string }[]): Record<string, unknown> {
  const turns = life.filter(({ step }) => ['created', 'deleted', 'undeleted'].includes(step))
  const end = turns.length === 0 ? start : turns.at(-1)?.step === 'deleted' ? 'in the trash' : 'there'
  if (end !== 'there') return start === 'there' ? { deleted: {} } : {}
  if (start === 'nowhere') return { created: {} }
  const expected: Record<string, unknown> = start === 'in the trash' ? { undeleted: {} } : {}
  const moves = life.filter(({ step }) => step.startsWith('moved'))
  const to = moves.at(-1)?.step.slice(-1)
  if (to !== undefined && to !== moves[0]?.from) expected['moved'] = { from: { parentId: moves[0]?.from }, to: { parentId: to } }
  const rows = [...new Set(life.filter(({ step }) => step.startsWith('row')).map(({ step }) => step.slice(4)))]
  if (rows.length > 0) expected['content_updated'] = { rows }
  const properties = [...new Set(life.filter(({ step }) => /^(add|change|drop)/.test(step)).map(({ step }) => step.slice(-1)))]
    .map((id) => {
      const own = life.map(({ step }) => step).filter((step) => /^(add|change|drop)/.test(step) && step.endsWith(id))
      const [isNew, isGone] = [own[0]?.startsWith('add'), own.at(-1)?.startsWith('drop')]
      return { id, action: isNew && isGone ? 'none' : isNew ? 'created' : isGone ? 'deleted' : 'updated' }
    })
    .filter(({ action }) => action !== 'none')
  if (properties.length > 0) expected['schema_updated'] = { properties }
  return expected
}

it('a window reports the differences between its start and its end, in one event for each kind of change', () => {
  fc.assert(
    fc.property(lives, ({ start, life }) => {
      const expected = coalesce(life.map(recordedChangeOf))
      const found = expected.map(({ type, details }) => [type.replace('data_source.', ''), details] as const)
      expect(new Set(found.map(([action]) => action)).size).toBe(found.length)
      expect(Object.fromEntries(found)).toEqual(plainReading(start, life))
    }),
  )
})

it('each event has the authors of its changes, and the time of the last one', () => {
  fc.assert(
    fc.property(lives, ({ start, life }) => {
      const changes = life.map(recordedChangeOf)
      for (const { type, authorIds, time } of coalesce(changes)) {
        const own = type === 'data_source.created' ? changes : changes.filter((one) => one.type === type)
        expect([type, authorIds]).toEqual([type, [...new Set(own.map(({ authorId }) => authorId))]])
        expect(time).toBe(own.at(-1)?.time)
      }
      expect(start).toBeDefined()
    }),
  )
})

it('a window closes after 5 seconds without a change, and at most 30 seconds after its first change', () => {
  const cut = (...times: number[]): (readonly [number[], number])[] =>
    windowsOf(times.map((time) => ({ time }))).map(({ changes, closes }) => [changes.map(({ time }) => time), closes] as const)
  expect(cut()).toEqual([])
  expect(cut(0)).toEqual([[[0], 5_000]])
  expect(cut(0, 4_999, 5_000)).toEqual([[[0, 4_999, 5_000], 10_000]])
  expect(cut(0, 5_000)).toEqual([
    [[0], 5_000],
    [[5_000], 10_000],
  ])
  const busy = Array.from({ length: 20 }, (_, index) => index * 2_000)
  expect(cut(...busy)).toEqual([
    [busy.slice(0, 15), 30_000],
    [busy.slice(15), 43_000],
  ])
})

it('windows contain every change exactly once, in order, however the changes are split', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(9_000)), (pauses) => {
      let time = 0
      const changes = pauses.map((pause) => ({ time: (time += pause) }))
      const windows = windowsOf(changes)
      expect(windows.flatMap((window) => window.changes)).toEqual(changes)
      for (const { changes: own, closes } of windows) {
        const [first, last] = [own[0]?.time ?? 0, own.at(-1)?.time ?? 0]
        expect(closes).toBe(Math.min(last + 5_000, first + 30_000))
        expect(own.every((one, index) => index === 0 || one.time - (own[index - 1]?.time ?? 0) < 5_000)).toBe(true)
      }
    }),
  )
})

it('a window with five hundred thousand changed items names the first five hundred, within two seconds', () => {
  const items = (change: number): object[] => Array.from({ length: 500 }, (_item, n) => ({ id: `${change} ${n}`, type: 'block' }))
  const changes = Array.from({ length: 1_000 }, (_change, time): RecordedChange => {
    const details = { updatedBlocks: items(time) }
    return { type: 'page.content_updated', time, authorId: 'A', listeners: { everybody: '2026-03-11' }, details }
  })
  const start = performance.now()
  const [event, ...others] = coalesce(changes)
  expect(performance.now() - start).toBeLessThan(2_000)
  expect(others).toStrictEqual([])
  expect(event?.details).toStrictEqual({ updatedBlocks: items(0) })
})
