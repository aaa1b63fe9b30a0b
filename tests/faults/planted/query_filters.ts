import { faultsIn, type Fault } from '../fault.ts'

export const filters = [
  'operations/data_sources/queryDataSource.filters.test.ts',
  'operations/data_sources/queryDataSource.reference.test.ts',
]
const computed = ['operations/data_sources/queryDataSource.computed.test.ts']

/** Filters of rows: the meaning of conditions. */
export const queryFilters: readonly Fault[] = [
  ...faultsIn(
    'domain/data/queries/filter.ts',
    [...filters, 'operations/data_sources/queryDataSource.conditions.test.ts'],
    [
      ['`or` means `and`', "or: 'any' }", "or: 'all' }"],
      [
        'text conditions on numbers are accepted',
        'filter.keys === `own or ${key}`',
        "filter.keys === `own or ${key}` || key === 'rich_text'",
      ],
    ],
  ),
  ...faultsIn('domain/data/properties/stored.ts', filters, [
    ['the error for an unknown property omits its name', '${JSON.stringify(key)}`', '${typeof key}`'],
  ]),
  ...faultsIn(
    'domain/data/queries/criteria.ts',
    [...filters, 'operations/data_sources/queryDataSource.conditions.test.ts'],
    [
      [
        'a filter by created_time uses the last edit',
        "column === 'created_time' ? block.createdTime : block.lastEditedTime",
        "column === 'created_time' ? block.lastEditedTime : block.lastEditedTime",
      ],
      [
        '`does_not_equal` excludes rows without a value',
        '        bounds: check.bounds,\n      })',
        '        bounds: check.negated ? [] : check.bounds,\n      })',
      ],

      [
        'a negated list ignores its negation',
        "return negatedIf(check.negated, { kind: 'keys', propertyId, keys: check.keys })",
        "return { kind: 'keys', propertyId, keys: check.keys }",
      ],
      [
        'a truncated text in the index counts as complete',
        'isKeyWhole: [...operand].length < SORTED_LENGTH && storable(operand) === operand',
        'isKeyWhole: storable(operand) === operand',
      ],
      [
        '`is_empty` of an author is true',
        "      : always(check.kind === 'present')\n  const read = ({ block }: LoadedRow): string[]",
        "      : always(check.kind === 'empty')\n  const read = ({ block }: LoadedRow): string[]",
      ],
      [
        'a filter by last_edited_by uses the creator',
        "[column === 'created_by' ? block.createdBy : block.lastEditedBy]",
        '[block.createdBy]',
      ],
    ],
  ),
  ...faultsIn(
    'domain/data/queries/conditions.ts',
    [...filters, 'operations/data_sources/queryDataSource.conditions.test.ts'],
    [
      ['`does_not_contain` contains', "  does_not_contain: ['contains', true],", "  does_not_contain: ['contains', false],"],
      ['`ends_with` looks at the start', "  ends_with: ['ends', false],", "  ends_with: ['starts', false],"],
      ['`greater_than` includes the number itself', "  greater_than: '>',", "  greater_than: '>=',"],
      ['`less_than_or_equal_to` excludes the number itself', "  less_than_or_equal_to: '<=',", "  less_than_or_equal_to: '<',"],
      [
        '`me` is nobody',
        "written === 'me' ? me : canonicalId(written)",
        "written === 'me' ? canonicalId('') : canonicalId(written)",
      ],
      [
        'ids of people without dashes match no one',
        "written === 'me' ? me : canonicalId(written)",
        "written === 'me' ? me : written",
      ],
      ['ids of related pages without dashes match nothing', '(written) => [canonicalId(written)]', '(written) => [written]'],
      [
        'an option id precedes an equal option name',
        'options.find(({ name }) => name === written) ?? options.find(({ id }) => id === written)',
        'options.find(({ id }) => id === written) ?? options.find(({ name }) => name === written)',
      ],
      [
        'an unknown option matches nothing instead of being refused',
        '  if (found) return found.id\n',
        "  if (found || property.type === 'status') return found?.id ?? ''\n",
      ],
      ['`does_not_equal: true` of a checkbox means checked', '(equals ?? differs === false)', '(equals ?? differs === true)'],
      [
        'only the first of several options applies',
        'return [...new Set(written.map((one, index) => optionId(property, one, `${path}[${index}]`)))]',
        'return [...new Set(written.map((one, index) => optionId(property, one, `${path}[${index}]`)))].slice(0, 1)',
      ],
      ['`is_not_empty` is `is_empty`', "return { kind: isEmpty ? 'empty' : 'present' }", "return { kind: 'empty' }"],
    ],
  ),
  ...faultsIn(
    'domain/data/queries/date_ranges.ts',
    [...filters, 'operations/data_sources/queryDataSource.conditions.test.ts'],
    [
      ['tomorrow is today', '  tomorrow: (today) => today.add({ days: 1 }),', '  tomorrow: (today) => today,'],
      [
        'a month ago is 30 days ago',
        '  one_month_ago: (today) => today.subtract({ months: 1 }),',
        '  one_month_ago: (today) => today.subtract({ days: 30 }),',
      ],
      [
        'a month from now is 31 days from now',
        '  one_month_from_now: (today) => today.add({ months: 1 }),',
        '  one_month_from_now: (today) => today.add({ days: 31 }),',
      ],
      ['weeks begin on Monday', 'today.subtract({ days: today.dayOfWeek % 7 })', 'today.subtract({ days: today.dayOfWeek - 1 })'],
      ['this week ends on Friday', 'return [sunday, sunday.add({ days: 6 })]', 'return [sunday, sunday.add({ days: 5 })]'],
      [
        'the past week excludes today',
        '  past_week: (today) => [today.subtract({ days: 7 }), today],',
        '  past_week: (today) => [today.subtract({ days: 7 }), today.subtract({ days: 1 })],',
      ],
      [
        'the next month is 30 days',
        '  next_month: (today) => [today, today.add({ months: 1 })],',
        '  next_month: (today) => [today, today.add({ days: 30 })],',
      ],
      [
        'the next year is 365 days',
        '  next_year: (today) => [today, today.add({ years: 1 })],',
        '  next_year: (today) => [today, today.add({ days: 365 })],',
      ],
      [
        'the past month is the past four weeks',
        '  past_month: (today) => [today.subtract({ months: 1 }), today],',
        '  past_month: (today) => [today.subtract({ weeks: 4 }), today],',
      ],
    ],
  ),
  ...faultsIn(
    'domain/data/queries/checks.ts',
    [...filters.concat(computed), 'operations/data_sources/queryDataSource.conditions.test.ts'],
    [
      ['`contains` is case-sensitive', 'return lower.includes(wanted)', 'return text.includes(operand)'],
      ['`equals` is case-insensitive', 'return text === operand', 'return lower === wanted'],
      [
        'one of two bounds is enough',
        'check.bounds.every((bound) => isWithin(bound, number))',
        'check.bounds.some((bound) => isWithin(bound, number))',
      ],
      [
        'negated lists are not negated',
        'Array.isArray(value) && value.includes(key)) !== check.negated',
        'Array.isArray(value) && value.includes(key))',
      ],
    ],
  ),
  ...faultsIn('domain/data/queries/criterion.ts', filters, [
    [
      'an empty list of conditions matches nothing',
      '  if (parts.length === 0) return EVERY_ROW',
      "  if (parts.length === 0) return { ...EVERY_ROW, test: { kind: 'any', tests: [] }, holds: () => false }",
    ],
    [
      'only the first columns that conditions need are loaded',
      'columns: [...new Set(parts.flatMap(({ needs }) => needs.columns))]',
      'columns: parts[0]?.needs.columns ?? []',
    ],
  ]),
  ...faultsIn(
    'domain/data/queries/checks.ts',
    [...filters.concat(computed), 'operations/data_sources/queryDataSource.conditions.test.ts'],
    [['a formula without a value is unchecked and checked', "value === '' || value === false ||", "value === '' ||"]],
  ),
]
