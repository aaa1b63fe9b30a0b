import type { DateValue, RollupArrayEntry, RollupFunction, RollupValue } from '../../../../generated/types.ts'
import { atOnce, type SlicedWork } from '../../../kernel/yield_to_event_loop.ts'
import type { ResultType } from '../formulas/types.ts'
import type { PropertyType } from '../properties/stored.ts'
import { facetsOf } from '../property_types/index.ts'
import { AGGREGATES } from '../formulas/functions/number.ts'
import { isDate } from '../queries/checks.ts'
import { elementsOf, isEmptyEntry, keyOfEntry, plainOf } from './entries.ts'
import { rollupFunctions } from './functions.ts'

type Entries = readonly RollupArrayEntry[]

/** Whether an option of the aggregated status is in the last group. */
type IsInLastGroup = (optionId: string) => boolean

/**
 * Computes the value of a rollup from the values of related rows. Arrays are complete here; responses show only their beginning.
 * @param entries one for each related row, in the order of the relation; formulas as their results
 * @param isInLastGroup only called by functions over a status
 */
export function rollUp(rollupFunction: RollupFunction, entries: Entries, isInLastGroup?: IsInLastGroup): RollupValue {
  return atOnce(rollUpInSteps(rollupFunction, entries, isInLastGroup))
}

/** Like `rollUp`, in steps. */
export function* rollUpInSteps(
  rollupFunction: RollupFunction,
  entries: Entries,
  isInLastGroup: IsInLastGroup = () => false,
): SlicedWork<RollupValue> {
  if (rollupFunction === 'show_original') return { function: rollupFunction, type: 'array', array: [...entries] }
  if (rollupFunction === 'show_unique')
    return { function: rollupFunction, type: 'array', array: yield* distinctElements(entries) }
  if (rollupFunction === 'unique')
    return { function: rollupFunction, type: 'number', number: (yield* distinctElements(entries)).length }
  if (rollupFunction === 'earliest_date' || rollupFunction === 'latest_date' || rollupFunction === 'date_range') {
    return { function: rollupFunction, type: 'date', date: dateOf(rollupFunction, entries) }
  }
  return { function: rollupFunction, type: 'number', number: finite(NUMBERS[rollupFunction](entries, isInLastGroup)) }
}

/**
 * Whether a function can aggregate a property. Rollups and types without values cannot be aggregated at all.
 * @param resultType the result type of a formula; undefined if it cannot be determined
 */
export function fitsRollup(rollupFunction: RollupFunction, propertyType: PropertyType, resultType?: ResultType): boolean {
  const { rollup } = facetsOf(propertyType)
  if (rollup === 'none') return false
  const { source } = rollupFunctions[rollupFunction]
  return source === 'any' || source === (rollup.source === 'by result type' ? resultType : rollup.source)
}

/** The value of a rollup whose function no longer fits, or whose relation or property no longer exists. */
export function unsupportedRollup(rollupFunction: RollupFunction): RollupValue {
  return { function: rollupFunction, type: 'unsupported', unsupported: {} }
}

type NumberFunction = Exclude<
  RollupFunction,
  'show_original' | 'show_unique' | 'unique' | 'earliest_date' | 'latest_date' | 'date_range'
>

const NUMBERS: Readonly<Record<NumberFunction, (entries: Entries, isInLastGroup: IsInLastGroup) => number | null>> = {
  count: (entries) => entries.length,
  count_values: (entries) => entries.flatMap(elementsOf).length,
  empty: (entries) => count(entries, isEmptyEntry),
  not_empty: (entries) => count(entries, isPresent),
  percent_empty: (entries) => share(entries, isEmptyEntry),
  percent_not_empty: (entries) => share(entries, isPresent),
  checked: (entries) => count(entries, isTrue),
  unchecked: (entries) => count(entries, isFalse),
  percent_checked: (entries) => share(entries, isTrue),
  percent_unchecked: (entries) => share(entries, isFalse),
  count_per_group: (entries, isInLastGroup) => count(entries, isComplete(isInLastGroup)),
  percent_per_group: (entries, isInLastGroup) => share(entries, isComplete(isInLastGroup)),
  sum: (entries) => AGGREGATES.sum(numbersIn(entries)),
  average: (entries) => AGGREGATES.mean(numbersIn(entries)),
  median: (entries) => AGGREGATES.median(numbersIn(entries)),
  min: (entries) => AGGREGATES.min(numbersIn(entries)),
  max: (entries) => AGGREGATES.max(numbersIn(entries)),
  range: (entries) => rangeOf(numbersIn(entries)),
}

type Test = (entry: RollupArrayEntry) => boolean

const isTrue: Test = (entry) => plainOf(entry) === true
const isFalse: Test = (entry) => plainOf(entry) === false
const isPresent: Test = (entry) => !isEmptyEntry(entry)

function isComplete(isInLastGroup: IsInLastGroup): Test {
  return (entry) => entry.type === 'status' && entry.status !== null && isInLastGroup(entry.status.id)
}

function count(entries: Entries, test: Test): number {
  return entries.filter(test).length
}

/** The share of rows that pass a test; null if there are no rows. */
function share(entries: Entries, test: Test): number | null {
  return entries.length === 0 ? null : count(entries, test) / entries.length
}

function numbersIn(entries: Entries): number[] {
  return entries.map(plainOf).filter((value) => typeof value === 'number')
}

function rangeOf(numbers: readonly number[]): number | null {
  const [smallest, largest] = [AGGREGATES.min(numbers), AGGREGATES.max(numbers)]
  return smallest === null || largest === null ? null : largest - smallest
}

/** A number, or null if it is not finite: a sum may exceed the range of numbers. */
function finite(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null
}

/** The distinct values and list elements that are not empty, in the order of first occurrence. */
function* distinctElements(entries: Entries): SlicedWork<RollupArrayEntry[]> {
  const byKey = new Map<string, RollupArrayEntry>()
  for (const entry of entries) {
    for (const element of elementsOf(entry)) {
      const key = keyOfEntry(element)
      if (!byKey.has(key)) byKey.set(key, element)
    }
    yield
  }
  return [...byKey.values()]
}

function dateOf(rollupFunction: 'earliest_date' | 'latest_date' | 'date_range', entries: Entries): DateValue | null {
  const dates = entries.map(plainOf).filter(isDate)
  const [earliest] = dates.map(({ start }) => start).sort((a, b) => Date.parse(a) - Date.parse(b))
  const [latest] = dates.map(({ start, end }) => end ?? start).sort((a, b) => Date.parse(b) - Date.parse(a))
  if (earliest === undefined || latest === undefined) return null
  if (rollupFunction === 'earliest_date') return { start: earliest, end: null, time_zone: null }
  if (rollupFunction === 'latest_date') return { start: latest, end: null, time_zone: null }
  const hasTime = isMoment(earliest) || isMoment(latest)
  return { start: withTime(earliest, hasTime), end: withTime(latest, hasTime), time_zone: null }
}

function isMoment(text: string): boolean {
  return text.includes('T')
}

/** Gives a day the time of midnight in UTC if the other end of the range has a time: either both ends have a time or neither. */
function withTime(text: string, hasTime: boolean): string {
  return hasTime && !isMoment(text) ? `${text}T00:00:00.000+00:00` : text
}
