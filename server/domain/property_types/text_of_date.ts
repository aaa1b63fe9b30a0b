import type { DateValue } from '../../../generated/types.ts'

/** A day or a moment; a range with an arrow between its ends. */
export function textOfDate({ start, end }: DateValue): string {
  return end === null ? start : `${start} → ${end}`
}
