import { faultsIn, type Fault } from '../fault.ts'

const filters = [
  'operations/data_sources/queryDataSource.filters.test.ts',
  'operations/data_sources/queryDataSource.reference.test.ts',
]
const sorting = ['operations/data_sources/queryDataSource.test.ts', 'operations/data_sources/queryDataSource.reference.test.ts']
const computed = ['operations/data_sources/queryDataSource.computed.test.ts']

/** What each property type means in queries. */
export const propertyTypes: readonly Fault[] = [
  ...faultsIn(
    'domain/property_types/texts.ts',
    [...filters.concat(computed), 'operations/data_sources/queryDataSource.conditions.test.ts'],
    [
      [
        'e-mail addresses take no text condition',
        "    filter: textFilter(({ values }, id) => (values[id] ?? '') as string),\n",
        "    filter: { ...textFilter(({ values }, id) => (values[id] ?? '') as string), keys: group === 'email' ? 'own' : 'own or rich_text' },\n",
      ],
      ['titles among elements have no text', "runs.map(({ plain_text }) => plain_text).join('')", "runs.map(() => '').join('')"],
    ],
  ),
  ...faultsIn('domain/property_types/unique_id.ts', computed, [
    ['unique ids among elements have no number', 'toPlain: ({ number }) => number,', 'toPlain: () => null,'],
  ]),
  ...faultsIn('domain/property_types/checkbox.ts', filters, [
    ['unchecked boxes are found as checked', '({ values }) => values[id] === true)', '({ values }) => values[id] !== true)'],
  ]),
  ...faultsIn('domain/property_types/verification.ts', filters, [
    [
      'an expired verification counts as verified',
      "operator: wanted === 'expired' ? '<=' : '>'",
      "operator: wanted === 'expired' ? '<=' : '>='",
    ],
  ]),
  ...faultsIn(
    'domain/property_types/choice.ts',
    [
      ...filters.concat(sorting),
      'operations/data_sources/queryDataSource.conditions.test.ts',
      'operations/data_sources/queryDataSource.sorts.test.ts',
    ],
    [
      [
        'a removed option still matches',
        'return ids.filter((id) => options.some((option) => option.id === id))',
        'return options.length < 0 ? [] : ids',
      ],
      [
        'options of a status sort as written, not by group',
        'return [...new Set([...groups.flatMap((group) => group.option_ids.filter((id) => ids.includes(id))), ...ids])]',
        'return groups.length < 0 ? [] : ids',
      ],
    ],
  ),
  ...faultsIn(
    'domain/property_types/plain_values.ts',
    [...sorting, 'operations/data_sources/queryDataSource.sorts.test.ts'],
    [
      [
        'a formula that gives false sorts as empty',
        "if (typeof value === 'boolean') return Number(value)",
        "if (typeof value === 'boolean') return value ? 1 : null",
      ],
    ],
  ),
  ...faultsIn('domain/property_types/rollup.ts', computed, [
    [
      '`none` is `any`',
      'if (none) return (value) => !elements(value).some(test)',
      'if (none) return (value) => elements(value).some(test)',
    ],
  ]),
  ...faultsIn(
    'domain/property_types/formula.ts',
    [...computed, 'operations/data_sources/queryDataSource.conditions.test.ts'],
    [
      ['an empty formula counts as zero', ' return answer.number\n', ' return answer.number ?? 0\n'],
      ['a condition that does not fit the formula is taken', '  if (own !== key) {', "  if (own !== key && key !== 'string') {"],
    ],
  ),
  ...faultsIn(
    'domain/property_types/valueless.ts',
    [...filters, 'operations/data_sources/queryDataSource.conditions.test.ts'],
    [
      [
        'buttons can be filtered',
        "  filter: 'none',\n",
        "  filter: { keys: 'own', operands: 'others', parse: () => ({ test: { kind: 'all', tests: [] }, holds: () => true, needs: { columns: [], links: [] } }) },\n",
      ],
    ],
  ),
]
