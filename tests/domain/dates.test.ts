import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDateForm } from '../../server/domain/shared/dates.ts'
import { ServiceError } from '../../server/kernel/errors.ts'

/** The stored value of a written date. */

const read = (start: string, time_zone?: string, end?: string): ReturnType<typeof parseDateForm> =>
  parseDateForm({ start, ...(end === undefined ? {} : { end }), ...(time_zone === undefined ? {} : { time_zone }) }, 'body.date')

/** The path in the error for a date. */
function refusal(...parts: Parameters<typeof read>): string | undefined {
  try {
    read(...parts)
    return undefined
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return /(body\.date\.\w+) should/.exec(error.message)?.[1]
  }
}

describe('readFormOfDate', () => {
  it.each<[written: string, zone: string | undefined, read: string]>([
    ['2026-05-16', undefined, '2026-05-16'],
    ['0001-01-01', undefined, '0001-01-01'],
    ['2024-02-29', undefined, '2024-02-29'],
    ['2026-05-16T11:40', undefined, '2026-05-16T11:40:00.000+00:00'],
    ['2026-05-16T11:40:01.5', undefined, '2026-05-16T11:40:01.500+00:00'],
    ['2026-05-16t11:40:01,123456z', undefined, '2026-05-16T11:40:01.123+00:00'],
    [`2026-05-16T11:40:01.${'9'.repeat(40)}Z`, undefined, '2026-05-16T11:40:01.999+00:00'],
    ['2026-05-16T11:40:00-0330', undefined, '2026-05-16T11:40:00.000-03:30'],
    ['2026-05-16T11:40:00+05', undefined, '2026-05-16T11:40:00.000+05:00'],
    ['1850-05-16T11:40:00+00:00', undefined, '1850-05-16T11:40:00.000+00:00'],
    ['2026-06-27T18:58:04', 'Europe/Berlin', '2026-06-27T18:58:04.000+02:00'],
    ['2026-01-27T18:58:04', 'Europe/Berlin', '2026-01-27T18:58:04.000+01:00'],
    ['2026-06-27T18:58', 'Asia/Kathmandu', '2026-06-27T18:58:00.000+05:45'],
    ['2026-06-27T18:58', 'Etc/GMT+12', '2026-06-27T18:58:00.000-12:00'],
    ['2026-06-27T18:58Z', 'UTC', '2026-06-27T18:58:00.000+00:00'],
    ['2026-01-27T18:58Z', 'Europe/London', '2026-01-27T18:58:00.000+00:00'],
    // Amsterdam was 19 minutes and 32 seconds ahead; written offsets have no seconds.
    ['1930-01-01T12:00', 'Europe/Amsterdam', expect.stringMatching(/^1930-01-01T12:00:00\.000\+00:\d\d$/) as string],
    // The second of two 02:30 cannot be selected; both offsets name an instant with this local time.
    ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T02:30:00.000+02:00'],
    // Local times that clocks skip: by an hour, by half an hour, at midnight, by a whole day.
    ['2024-03-31T01:59:59.999', 'Europe/Rome', '2024-03-31T01:59:59.999+01:00'],
    ['2024-03-31T02:00', 'Europe/Rome', '2024-03-31T03:00:00.000+02:00'],
    ['2024-03-31T02:30', 'Europe/Rome', '2024-03-31T03:30:00.000+02:00'],
    ['2024-03-31T03:00', 'Europe/Rome', '2024-03-31T03:00:00.000+02:00'],
    ['2024-03-10T02:30:15.250', 'America/New_York', '2024-03-10T03:30:15.250-04:00'],
    ['2024-10-06T02:15', 'Australia/Lord_Howe', '2024-10-06T02:45:00.000+11:00'],
    ['2024-09-08T00:30', 'America/Santiago', '2024-09-08T01:30:00.000-03:00'],
    ['2011-12-30T10:00', 'Pacific/Apia', '2011-12-31T10:00:00.000+14:00'],
  ])('reads the date %s in time zone %s as %s', (written, zone, expected) => {
    expect(read(written, zone)).toStrictEqual({ start: expected, end: null, time_zone: null })
  })

  it.each<[place: string, ...Parameters<typeof read>]>([
    ['start', '2026-02-29'],
    ['start', '2026-13-01'],
    ['start', '2026-05-16T24:00'],
    ['start', '2026-05-16T11:60'],
    ['start', '2026-05-16T23:59:60'],
    ['start', '2026-05-16T11:40+24:00'],
    ['start', '2026-05-16T11:40+02:60'],
    ['start', '2026-05-16', 'Europe/Berlin'],
    ['time_zone', '2026-05-16T11:40+02:00', 'Europe/Berlin'],
    ['time_zone', '2026-06-16T11:40Z', 'Europe/London'],
    ['end', '2026-05-16', undefined, '2026-05-15'],
    ['end', '2026-05-16', undefined, '2026-05-16T10:00'],
    ['end', '2026-05-16T10:00', undefined, '2026-05-17'],
    ['end', '2026-05-16T10:00:00.002Z', undefined, '2026-05-16T10:00:00.001Z'],
    ['end', '2026-05-16T10:00Z', undefined, '2026-05-16T11:00+02:00'],
  ])('refuses an invalid %s: %s %s %s', (location, ...parts) => {
    expect(refusal(...parts)).toBe(`body.date.${location}`)
  })

  it('compares start and end as moments, not as texts', () => {
    expect(read('2026-05-16T10:00:00+02:00', undefined, '2026-05-16T09:00:00Z').end).toBe('2026-05-16T09:00:00.000+00:00')
    expect(read('2026-05-16', undefined, '2026-05-16').end).toBe('2026-05-16')
  })

  it('moves both ends of a range out of the hour skipped by clocks', () => {
    expect(read('2024-03-31T02:15', 'Europe/Rome', '2024-03-31T02:45')).toStrictEqual({
      start: '2024-03-31T03:15:00.000+02:00',
      end: '2024-03-31T03:45:00.000+02:00',
      time_zone: null,
    })
  })

  it('returns dates that can be written again and read as the same', () => {
    const zones = [
      'UTC',
      'Europe/Lisbon',
      'Europe/Amsterdam',
      'America/New_York',
      'Asia/Kolkata',
      'Pacific/Apia',
      'Africa/Monrovia',
      undefined,
    ]
    const moment = fc.date({ min: new Date('1800-01-01T00:00:00Z'), max: new Date('2200-01-01T00:00:00Z'), noInvalidDate: true })
    fc.assert(
      fc.property(moment, fc.constantFrom(...zones), fc.boolean(), (date, zone, isDay) => {
        const text = date.toISOString()
        const once = read(isDay ? text.slice(0, 10) : text.slice(0, -1), isDay ? undefined : zone)
        expect(parseDateForm(once, 'body.date')).toStrictEqual(once)
        expect(Number.isNaN(Date.parse(once.start))).toBe(false)
      }),
      { numRuns: 300, seed: 20260516 },
    )
  })
})
