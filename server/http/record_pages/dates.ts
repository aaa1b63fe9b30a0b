import type { DateValue } from '../../../generated/types.ts'
import { KeptFormatters } from './kept_formatters.ts'
import { markup, type Html } from '../oauth/html.ts'

const DAY: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeZone: 'UTC' }
const MINUTE: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }
const formatters = new KeptFormatters<Intl.DateTimeFormat>()
const DAY_TEXT = /^\d{4}-\d\d-\d\d$/
const OFFSET = /(?:Z|[+-]\d\d:\d\d)$/

/** A day, or a time without its offset, as people write it. */
export function dateText(text: string, locale: string): string {
  const isDay = DAY_TEXT.test(text)
  const time = new Date(isDay ? text : `${text.replace(OFFSET, '')}Z`)
  if (Number.isNaN(time.getTime())) return text
  const make = (): Intl.DateTimeFormat => new Intl.DateTimeFormat(locale, isDay ? DAY : MINUTE)
  return formatters.get(`${locale} ${isDay}`, make).format(time)
}

export function dateElement(text: string, locale: string): Html {
  return markup`<time datetime="${text}">${dateText(text, locale)}</time>`
}

/** A date with its end and its time zone, if it has them. */
export function dateValue({ start, end, time_zone: zone }: DateValue, locale: string): Html {
  const until = end !== null && markup` → ${dateElement(end, locale)}`
  return markup`${dateElement(start, locale)}${until}${zone !== null && markup` <span class="soft">${zone}</span>`}`
}

/** A timestamp of the service, in UTC. */
export function momentElement(timestamp: string, locale: string): Html {
  return markup`${dateElement(timestamp, locale)} <span class="soft">UTC</span>`
}
