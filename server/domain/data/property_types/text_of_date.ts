import type { DateValue } from '../../../../generated/types.ts'

/** The text of a date; a range has an arrow between start and end. */
export function textOfDate({ start, end }: DateValue): string {
  return end === null ? start : `${start} → ${end}`
}
