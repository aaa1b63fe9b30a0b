import { nativeIconName } from '../kernel/native_icons.ts'
import { isOneEmoji } from '../kernel/emoji.ts'
import { isTimeZone } from '../kernel/time_zones.ts'
import { hasScheme } from '../kernel/urls.ts'

interface Format {
  /** Completes "should be …" in messages. */
  readonly expectation: string
  accepts(text: string): boolean
}

const ISO_MOMENT = /^\d{4}-\d{2}-\d{2}(?:[Tt]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:[Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/
const DATE = /^\d{4}-\d{2}-\d{2}$/

/** The custom formats that spec/README.md describes, and those of JSON Schema that requests use. */
export const formats: Readonly<Record<string, Format>> = {
  emoji: { expectation: 'an emoji', accepts: isOneEmoji },
  'time-zone': { expectation: 'a valid IANA time zone', accepts: isTimeZone },
  'absolute-url': { expectation: 'a valid url', accepts: (text) => hasScheme(text, ['http:', 'https:']) },
  'link-url': {
    expectation: 'a valid url',
    accepts: (text) =>
      (text.startsWith('/') && !text.startsWith('//')) || hasScheme(text, ['http:', 'https:', 'mailto:', 'tel:']),
  },
  'iso-date-or-date-time': {
    expectation: 'a valid ISO 8601 date string',
    accepts: (text) => ISO_MOMENT.test(text) && isRealDate(text.slice(0, 10)),
  },
  'date-time': {
    expectation: 'a valid ISO 8601 date string',
    accepts: (text) => text.length > 10 && ISO_MOMENT.test(text) && !Number.isNaN(Date.parse(text)),
  },
  date: { expectation: 'a valid ISO 8601 date string', accepts: (text) => DATE.test(text) && isRealDate(text) },
  'native-icon': { expectation: 'a native icon name', accepts: (text) => nativeIconName(text) !== undefined },
  uuid: { expectation: 'a valid uuid', accepts: (text) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) },
}

function isRealDate(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number)
  const date = new Date(Date.UTC(2000, month - 1, day))
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}
