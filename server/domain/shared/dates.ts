import { Temporal } from 'temporal-polyfill'
import type { DateValue, DateValueRequest } from '../../../generated/types.ts'
import { invalid } from './failures.ts'

const DATE = /^\d{4}-\d{2}-\d{2}$/
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2})(?::([0-5]\d)(?:[.,](\d+))?)?(Z|z|[+-]\d{2}(?::?\d{2})?)?$/

/**
 * Converts a date in a request to its form in responses: dates stay dates; date-times get milliseconds and a numeric offset that
 * replaces the time zone.
 * @param path the path of the date in the request
 * @throws ServiceError `validation_error` for a date with a date-time, an end before the start, or an offset with a time zone
 */
export function parseDateForm(request: DateValueRequest, path: string): DateValue {
  const zone = request.time_zone ?? undefined
  const start = readFormOfMoment(request.start, zone, `${path}.start`, path)
  const end = request.end == null ? null : readFormOfMoment(request.end, zone, `${path}.end`, path)
  if (end !== null) {
    if (DATE.test(start) !== DATE.test(end)) throw invalid(`${path}.end`, 'should have a time if and only if `start` has one')
    if (instantOf(end) < instantOf(start)) throw invalid(`${path}.end`, 'should not be before `start`')
  }
  return { start, end, time_zone: null }
}

/**
 * The form in responses of a date or date-time.
 * @param path its path in the request
 * @throws ServiceError `validation_error` for a day or a time that does not exist
 */
export function parseOperandForm(text: string, path: string): string {
  return readFormOfMoment(text, undefined, path, path)
}

/**
 * The time of a date or date-time in milliseconds since 1970; midnight in UTC for a date.
 * @param path its path in the request
 * @throws ServiceError `validation_error` for a day or a time that does not exist
 */
export function momentOf(text: string, path: string): number {
  return instantOf(parseOperandForm(text, path))
}

function readFormOfMoment(text: string, zone: string | undefined, path: string, datePath: string): string {
  if (DATE.test(text)) {
    if (zone !== undefined) throw invalid(path, 'should have a time, because `time_zone` is given')
    return requireRealDate(text, path)
  }
  const parts = DATE_TIME.exec(text)
  if (!parts) throw invalid(path, 'should be a valid ISO 8601 date string')
  const [, date = '', minutes = '', seconds = '00', fraction = '', offset] = parts
  requireRealDate(date, path)
  const local = `${date}T${minutes}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}`
  return withOffset(local, offset, zone, path, datePath)
}

function withOffset(local: string, offset: string | undefined, zone: string | undefined, path: string, datePath: string): string {
  let moment: Temporal.PlainDateTime
  try {
    moment = Temporal.PlainDateTime.from(local, { overflow: 'reject' })
  } catch {
    throw invalid(path, 'should be a valid ISO 8601 date string')
  }
  if (zone === undefined) return local + numericOffset(offset ?? 'Z', path)
  const zoned = localForm(moment, zone)
  if (offset !== undefined && !(offset.toUpperCase() === 'Z' && zoned.endsWith('+00:00'))) {
    throw invalid(`${datePath}.time_zone`, 'should not be given with a time that has an offset')
  }
  return zoned
}

/**
 * A local time with its offset. A time that clocks skip is moved forward by the skipped duration (RFC 5545, 3.3.5); if a time occurs twice,
 * the first one is used. Historical time zones have offsets with seconds, which are rounded because ISO 8601 offsets have none.
 */
function localForm(moment: Temporal.PlainDateTime, zone: string): string {
  return moment
    .toZonedDateTime(zone, { disambiguation: 'compatible' })
    .toString({ timeZoneName: 'never', fractionalSecondDigits: 3 })
}

function numericOffset(offset: string, path: string): string {
  if (offset.toUpperCase() === 'Z') return '+00:00'
  const [, sign = '+', hours = '00', minutes = '00'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(offset) ?? []
  if (Number(hours) > 23 || Number(minutes) > 59) throw invalid(path, 'should be a valid ISO 8601 date string')
  return `${sign}${hours}:${minutes}`
}

function requireRealDate(text: string, path: string): string {
  try {
    Temporal.PlainDate.from(text, { overflow: 'reject' })
    return text
  } catch {
    throw invalid(path, 'should be a valid ISO 8601 date string')
  }
}

function instantOf(readForm: string): number {
  return Date.parse(readForm)
}
