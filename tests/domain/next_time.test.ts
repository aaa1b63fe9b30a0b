import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, it } from 'vitest'
import type { TriggerSchedule } from '../../generated/types.ts'
import { nextTime } from '../../server/domain/agents/triggers/next_time.ts'

/** Times at which agents with a schedule run. */

const time = (text: string): number => Date.parse(text)

/** The first times of a schedule that was set at a time. */
function times(schedule: TriggerSchedule, since: string, count: number): string[] {
  const all: string[] = []
  for (let after = time(since); all.length < count;) {
    const next = nextTime(schedule, time(since), after)
    if (next === undefined) return [...all, 'never']
    all.push(new Date(next).toISOString().slice(0, 16))
    after = next
  }
  return all
}

describe('a schedule runs', () => {
  it('every second Monday and Friday at nine', () => {
    const schedule: TriggerSchedule = { frequency: 'week', interval: 2, weekdays: ['friday', 'monday'], hour: 9, minute: 0 }
    expect(times(schedule, '2026-05-16T04:30:00Z', 3)).toStrictEqual(['2026-05-25T09:00', '2026-05-29T09:00', '2026-06-08T09:00'])
  })

  it('every third day, even when computed from a day in between', () => {
    const schedule: TriggerSchedule = { frequency: 'day', interval: 3, hour: 9 }
    const since = time('2026-05-01T08:00:00Z')
    for (const after of ['2026-05-02T00:00:00Z', '2026-05-03T12:00:00Z', '2026-05-04T08:59:00Z'])
      expect(new Date(nextTime(schedule, since, time(after)) ?? 0).toISOString()).toBe('2026-05-04T09:00:00.000Z')
  })

  it('on the last Friday of each month', () => {
    const schedule: TriggerSchedule = { frequency: 'month', interval: 1, weekdays: ['friday'], week_numbers: [-1], hour: 17 }
    expect(times(schedule, '2026-05-16T04:30:00Z', 2)).toStrictEqual(['2026-05-29T17:00', '2026-06-26T17:00'])
  })

  it('on the 31st of months that have one, and for monthday -1 on the last day of each month', () => {
    const on = (monthdays: number[]): TriggerSchedule => ({ frequency: 'month', interval: 1, monthdays, hour: 0 })
    expect(times(on([31]), '2026-05-16T00:00:00Z', 3)).toStrictEqual(['2026-05-31T00:00', '2026-07-31T00:00', '2026-08-31T00:00'])
    expect(times(on([-1]), '2026-05-16T00:00:00Z', 2)).toStrictEqual(['2026-05-31T00:00', '2026-06-30T00:00'])
    expect(times({ ...on([30]), interval: 12 }, '2026-02-01T00:00:00Z', 1)).toStrictEqual(['never'])
  })

  it('on each 29 February', () => {
    expect(times({ frequency: 'year', interval: 1, hour: 12 }, '2024-02-29T12:00:00Z', 1)).toStrictEqual(['2028-02-29T12:00'])
  })

  it('once a day at its hour, even on days when clocks move', () => {
    const daily = { frequency: 'day', interval: 1, hour: 2, minute: 30, timezone: 'Europe/Oslo' } as const
    expect(times(daily, '2026-03-27T12:00:00Z', 3)).toStrictEqual(['2026-03-28T01:30', '2026-03-29T01:30', '2026-03-30T00:30'])
    expect(times(daily, '2026-10-24T00:00:00Z', 3)).toStrictEqual(['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30'])
  })

  it('from its start date until its end', () => {
    const schedule: TriggerSchedule = {
      ...{ frequency: 'day', interval: 1, start_date: '2026-06-01T08:00:00Z' },
      end: { type: 'date', end_at: '2026-06-02T12:00:00Z' },
    }
    expect(times(schedule, '2026-05-16T04:30:00Z', 3)).toStrictEqual(['2026-06-01T08:00', '2026-06-02T08:00', 'never'])
  })

  it('never, if the next time exceeds the range of dates', () => {
    for (const frequency of ['hour', 'day', 'week', 'month', 'year'] as const)
      expect(times({ frequency, interval: Number.MAX_SAFE_INTEGER }, '2026-05-16T04:30:00Z', 2).at(-1)).toBe('never')
  })
})

const schedules: fc.Arbitrary<TriggerSchedule> = fc.record(
  {
    frequency: fc.constantFrom('hour', 'day', 'week', 'month', 'year'),
    interval: fc.integer({ min: 1, max: 7 }),
    weekdays: fc.uniqueArray(fc.constantFrom('monday', 'wednesday', 'sunday')),
    monthdays: fc.uniqueArray(fc.integer({ min: -3, max: 31 })),
    week_numbers: fc.uniqueArray(fc.constantFrom(1, 2, 5, -1)),
    hour: fc.integer({ min: 0, max: 23 }),
    minute: fc.integer({ min: 0, max: 59 }),
    timezone: fc.constantFrom('UTC', 'Europe/Oslo', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe'),
  },
  { requiredKeys: ['frequency', 'interval'] },
)
const moments = fc.integer({ min: time('2020-01-01T00:00:00Z'), max: time('2035-01-01T00:00:00Z') })

describe('every schedule', () => {
  it('has the same next time from any moment between two runs', () => {
    fc.assert(
      fc.property(
        schedules,
        moments,
        fc.nat(40 * 86_400_000),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (schedule, since, later, part) => {
          const after = since + later
          const next = nextTime(schedule, since, after)
          if (next === undefined) return
          expect(next).toBeGreaterThan(after)
          const between = Math.min(next - 1, Math.floor(after + part * (next - after)))
          expect(nextTime(schedule, since, between)).toBe(next)
          expect(nextTime(schedule, since, next) ?? Infinity).toBeGreaterThan(next)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('runs at its minute and, except when clocks move forward, at its hour', () => {
    fc.assert(
      fc.property(schedules, moments, (schedule, since) => {
        const next = nextTime(schedule, since, since)
        if (next === undefined || schedule.frequency === 'hour' || schedule.hour === undefined) return
        const zone = schedule.timezone ?? 'UTC'
        const local = Temporal.Instant.fromEpochMilliseconds(next).toZonedDateTimeISO(zone)
        const wanted = local
          .toPlainDate()
          .toZonedDateTime({ timeZone: zone, plainTime: { hour: schedule.hour, minute: schedule.minute ?? 0 } })
        expect(next).toBe(wanted.epochMilliseconds)
      }),
      { numRuns: 300 },
    )
  })
})
