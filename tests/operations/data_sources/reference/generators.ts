import fc from 'fast-check'
import type { ModelColumn, ModelDate, ModelFilter, ModelSort } from './evaluator.ts'

/** Values and filters use the same words, so that they often match. */
const words = fc.constantFrom(
  'a',
  'A',
  'b',
  'ab',
  'Ba',
  'é',
  'e',
  'ea',
  'É1',
  '1',
  '10',
  '2',
  'b a',
  '%',
  'a_',
  "o'b",
  '\\',
  '☺',
  '𝒳',
)
export const texts = fc.oneof(
  { weight: 6, arbitrary: fc.array(words, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'x'.repeat(79),
      'x'.repeat(80),
      `${'x'.repeat(79)}y`,
      `${'x'.repeat(80)}Y`,
      `${'ab'.repeat(600)}c`,
    ),
  },
)
export const numbers = fc.constantFrom(-1e300, -2.5, -1, 0, 0.1, 1, 2, 3, 1e21)

const days = fc.constantFrom(
  '2026-04-16',
  '2026-05-09',
  '2026-05-10',
  '2026-05-15',
  '2026-05-16',
  '2026-05-17',
  '2026-05-23',
  '2026-06-16',
  '2025-05-16',
  '1969-12-31',
)
const moments = fc
  .tuple(days, fc.constantFrom('00:00:00.000', '04:30:00.000', '23:59:59.999'), fc.constantFrom('+00:00', '-10:00', '+05:30'))
  .map(([day, time, offset]) => `${day}T${time}${offset}`)
const moment = fc.oneof(days, moments)
export const dates: fc.Arbitrary<ModelDate> = fc.tuple(moment, moment, fc.boolean()).map(([one, other, isRange]) => {
  if (!isRange || one.includes('T') !== other.includes('T')) return { start: one, end: null }
  return Date.parse(one) <= Date.parse(other) ? { start: one, end: other } : { start: other, end: one }
})

const existence = fc.constantFrom({ is_empty: true }, { is_not_empty: true })

function oneKey(keys: readonly string[], operand: fc.Arbitrary<unknown>): fc.Arbitrary<object> {
  return fc.tuple(fc.constantFrom(...keys), operand).map(([key, value]) => ({ [key]: value }))
}

const RELATIVE = [
  'today',
  'tomorrow',
  'yesterday',
  'one_week_ago',
  'one_week_from_now',
  'one_month_ago',
  'one_month_from_now',
] as const
const WINDOWS = ['this_week', 'past_week', 'past_month', 'past_year', 'next_week', 'next_month', 'next_year']
const dateCondition = fc.oneof(
  {
    weight: 4,
    arbitrary: oneKey(
      ['equals', 'before', 'after', 'on_or_before', 'on_or_after'],
      fc.oneof(moment, fc.constantFrom(...RELATIVE)),
    ),
  },
  { weight: 2, arbitrary: oneKey(WINDOWS, fc.constant({})) },
  existence,
)
const textCondition = fc.oneof(
  {
    weight: 5,
    arbitrary: oneKey(['equals', 'does_not_equal', 'contains', 'does_not_contain', 'starts_with', 'ends_with'], texts),
  },
  existence,
)
const numberCondition = fc.oneof(
  {
    weight: 5,
    arbitrary: oneKey(
      ['equals', 'does_not_equal', 'greater_than', 'less_than', 'greater_than_or_equal_to', 'less_than_or_equal_to'],
      numbers,
    ),
  },
  existence,
)

function listCondition(keys: readonly string[], elements: readonly string[], takesLists: boolean): fc.Arbitrary<object> {
  const one = fc.constantFrom(...elements)
  const operand = takesLists ? fc.oneof(one, fc.uniqueArray(one, { minLength: 1, maxLength: 3 })) : one
  return fc.oneof({ weight: 4, arbitrary: oneKey(keys, operand) }, existence)
}

/** @param elements ids that people and relations of the data contain, and some that they do not */
function conditionOf({ type, options = [] }: ModelColumn, elements: readonly string[]): fc.Arbitrary<object> {
  switch (type) {
    case 'number':
    case 'unique_id':
      return numberCondition
    case 'checkbox':
      return oneKey(['equals', 'does_not_equal'], fc.boolean())
    case 'select':
    case 'status':
      return listCondition(['equals', 'does_not_equal'], options, true)
    case 'multi_select':
      return listCondition(['contains', 'does_not_contain'], options, true)
    case 'people':
    case 'relation':
    case 'created_by':
      return listCondition(['contains', 'does_not_contain'], elements, false)
    case 'files':
      return existence
    case 'date':
    case 'created_time':
    case 'last_edited_time':
      return dateCondition
    case 'verification':
      return oneKey(['status', 'does_not_equal'], fc.constantFrom('verified', 'expired', 'none'))
    default:
      return textCondition
  }
}

/** Filters of every type and condition, two levels deep. */
export function filters(columns: readonly ModelColumn[], elements: readonly string[]): fc.Arbitrary<ModelFilter> {
  const properties = columns.map((column) =>
    conditionOf(column, elements).map((condition): ModelFilter => ({ property: column.name, [column.type]: condition })),
  )
  const timestamps = ['created_time', 'last_edited_time'].map((timestamp) =>
    dateCondition.map((condition): ModelFilter => ({ timestamp, [timestamp]: condition })),
  )
  const single = fc.oneof(...properties, ...timestamps)
  const list = (entry: fc.Arbitrary<ModelFilter>, maxLength: number): fc.Arbitrary<ModelFilter> =>
    fc.tuple(fc.constantFrom('and', 'or'), fc.array(entry, { maxLength })).map(([word, entries]) => ({ [word]: entries }))
  return fc.oneof(single, list(fc.oneof({ weight: 3, arbitrary: single }, list(single, 3)), 4))
}

export function sorts(columns: readonly ModelColumn[]): fc.Arbitrary<ModelSort[]> {
  const direction = fc.constantFrom('ascending' as const, 'descending' as const)
  const one = fc.oneof(
    { weight: 6, arbitrary: fc.record({ property: fc.constantFrom(...columns.map(({ name }) => name)), direction }) },
    fc.record({ timestamp: fc.constantFrom('created_time', 'last_edited_time'), direction }),
  )
  return fc.array(one, { maxLength: 3 })
}
