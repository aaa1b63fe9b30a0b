import { addToDate, betweenDates, dayOfWeek, localFields, parseIsoDate, rangeOf, singleDate, weekOfYear } from '../dates.ts'
import { formatMoment } from '../format_moment.ts'
import { DATE, NUMBER, TEXT } from '../types.ts'
import { endOf, type FormulaDate, type Moment } from '../values.ts'
import { dateAt, numberAt, textAt } from './arguments.ts'
import { arg, define, type FunctionDefinition } from './definition.ts'

const MINUTE = 60_000
const DAY = 86_400_000

/** The parts of a date, taken from its start in the time zone of the value. */
const PARTS: Readonly<Record<string, (moment: Moment) => number>> = {
  minute: (moment) => localFields(moment).getUTCMinutes(),
  hour: (moment) => localFields(moment).getUTCHours(),
  day: dayOfWeek,
  date: (moment) => localFields(moment).getUTCDate(),
  week: weekOfYear,
  month: (moment) => localFields(moment).getUTCMonth() + 1,
  year: (moment) => localFields(moment).getUTCFullYear(),
}

export const dateFunctions: readonly FunctionDefinition[] = [
  define('now', [], DATE, (_values, { shared }) => singleDate(floorTo(shared.now, MINUTE), true)),
  define('today', [], DATE, (_values, { shared }) => singleDate(floorTo(shared.now, DAY), false)),
  ...Object.entries(PARTS).map(([name, part]) => define(name, [arg.date], NUMBER, (values) => part(dateAt(values, 0).start))),
  define('dateAdd', [arg.date, arg.number, arg.text], DATE, (values) =>
    addToDate(dateAt(values, 0), numberAt(values, 1), textAt(values, 2)),
  ),
  define('dateSubtract', [arg.date, arg.number, arg.text], DATE, (values) =>
    addToDate(dateAt(values, 0), -numberAt(values, 1), textAt(values, 2)),
  ),
  define('dateBetween', [arg.date, arg.date, arg.text], NUMBER, (values) =>
    betweenDates(dateAt(values, 0), dateAt(values, 1), textAt(values, 2)),
  ),
  define('dateRange', [arg.date, arg.date], DATE, (values) => rangeOf(dateAt(values, 0), dateAt(values, 1))),
  define('dateStart', [arg.date], DATE, (values) => onlyMoment(dateAt(values, 0), (whole) => whole.start)),
  define('dateEnd', [arg.date], DATE, (values) => onlyMoment(dateAt(values, 0), endOf)),
  define('timestamp', [arg.date], NUMBER, (values) => dateAt(values, 0).start.milliseconds),
  define('fromTimestamp', [arg.number], DATE, (values) => singleDate(floorTo(numberAt(values, 0), MINUTE), true)),
  define('parseDate', [arg.text], DATE, (values, { budget }) => {
    budget.readText(textAt(values, 0).length)
    return parseIsoDate(textAt(values, 0))
  }),
  define('formatDate', [arg.date, arg.text], TEXT, (values, { budget }) => {
    budget.reserveText(textAt(values, 1).length)
    budget.spend(textAt(values, 1).length)
    return formatMoment(dateAt(values, 0).start, textAt(values, 1))
  }),
]

function floorTo(milliseconds: number, unit: number): number {
  return Math.floor(milliseconds / unit) * unit
}

function onlyMoment(whole: FormulaDate, choose: (whole: FormulaDate) => Moment): FormulaDate {
  return { kind: 'date', hasTime: whole.hasTime, start: choose(whole), end: null }
}
