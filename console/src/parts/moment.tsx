import type { JSX } from 'preact'

const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeStyle: 'medium' })
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

const UNITS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]
const RELATIVE_SECONDS_MAX = 14 * 86_400

/** A time as people say it, in the browser's language: “2 hours ago”, or a date. The exact time is its tooltip. */
export function Moment({ time }: { readonly time: string }): JSX.Element {
  const date = new Date(time)
  return (
    <time dateTime={time} title={full.format(date)}>
      {words(date)}
    </time>
  )
}

function words(date: Date): string {
  const seconds = (date.getTime() - Date.now()) / 1000
  if (Math.abs(seconds) > RELATIVE_SECONDS_MAX) return day.format(date)
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? (['second', 1] as const)
  return relative.format(Math.round(seconds / length), unit)
}
