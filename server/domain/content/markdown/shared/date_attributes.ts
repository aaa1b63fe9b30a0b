import type { DateValue } from '../../../../../generated/types.ts'
import { parseDateForm } from '../../../shared/index.ts'
import type { Attributes } from './tags.ts'

const MOMENT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}):(\d{2})\.(\d{3})(.*)$/

/** The attributes of a date tag: the days; if the date has times, the times and their offset as well, unless the offset is zero. */
export function writeDateAttributes({
  start,
  end,
}: DateValue): Record<'start' | 'startTime' | 'end' | 'endTime', string | undefined> {
  const [startDay, startTime] = wordsOf(start)
  const [endDay, endTime] = end === null ? [undefined, undefined] : wordsOf(end)
  return { start: startDay, startTime, end: endDay, endTime }
}

function wordsOf(moment: string): [day: string, time: string | undefined] {
  const [, day, minutes = '', seconds = '00', milliseconds = '000', offset = ''] = MOMENT.exec(moment) ?? []
  if (day === undefined) return [moment, undefined]
  const exact = milliseconds !== '000' ? `:${seconds}.${milliseconds}` : seconds !== '00' ? `:${seconds}` : ''
  return [day, minutes + exact + (offset === '+00:00' ? '' : offset)]
}

const DAY = /^\d{4}-\d{2}-\d{2}$/
const TIME = /^\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})?$/

/** The date in the attributes of a tag; undefined if they are invalid. An end with only a time is on the day of the start. */
export function parseDateAttributes(attributes: Attributes): DateValue | undefined {
  const [start, startTime, endTime, zone] = ['start', 'startTime', 'endTime', 'timeZone'].map((name) => attributes.get(name))
  const end = attributes.get('end') ?? (endTime === undefined ? undefined : start)
  if (start === undefined || [start, end].some((day) => day !== undefined && !DAY.test(day))) return undefined
  if ([startTime, endTime].some((time) => time !== undefined && !TIME.test(time))) return undefined
  try {
    return parseDateForm(
      {
        start: momentOf(start, startTime),
        end: end === undefined ? null : momentOf(end, endTime),
        time_zone: zone === undefined || zone === '' ? null : zone,
      },
      'date',
    )
  } catch {
    return undefined
  }
}

function momentOf(day: string, time: string | undefined): string {
  return time === undefined ? day : `${day}T${time}`
}
