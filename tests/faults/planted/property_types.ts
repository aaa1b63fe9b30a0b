import { faultsIn, type Fault } from '../fault.ts'

const filters = [
  'operations/data_sources/queryDataSource.filters.test.ts',
  'operations/data_sources/queryDataSource.reference.test.ts',
]
const sorting = ['operations/data_sources/queryDataSource.test.ts', 'operations/data_sources/queryDataSource.reference.test.ts']
const retype = ['operations/data_sources/updateDataSource.retype.test.ts']
const computed = ['operations/data_sources/queryDataSource.computed.test.ts']

/** Property types in queries. */
export const propertyTypes: readonly Fault[] = [
  ...faultsIn(
    'domain/data/property_types/texts.ts',
    [...filters.concat(computed), 'operations/data_sources/queryDataSource.conditions.test.ts'],
    [
      [
        'email properties accept no text condition',
        "    filter: textFilter(({ values }, id) => (values[id] ?? '') as string),\n",
        "    filter: { ...textFilter(({ values }, id) => (values[id] ?? '') as string), keys: group === 'email' ? 'own' : 'own or rich_text' },\n",
      ],
      ['titles in a rollup have no text', "runs.map(({ plain_text }) => plain_text).join('')", "runs.map(() => '').join('')"],
    ],
  ),
  ...faultsIn('domain/data/property_types/unique_id.ts', computed, [
    ['unique ids in a rollup have no number', 'toPlain: ({ number }) => number,', 'toPlain: () => null,'],
  ]),
  ...faultsIn('domain/data/property_types/checkbox.ts', filters, [
    ['unchecked checkboxes match `true`', '({ values }) => values[id] === true)', '({ values }) => values[id] !== true)'],
  ]),
  ...faultsIn('domain/data/property_types/verification.ts', filters, [
    [
      'an expired verification counts as verified',
      "operator: wanted === 'expired' ? '<=' : '>'",
      "operator: wanted === 'expired' ? '<=' : '>='",
    ],
  ]),
  ...faultsIn(
    'domain/data/property_types/choice.ts',
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
        'status options sort by schema order instead of group',
        'return [...new Set([...groups.flatMap((group) => group.option_ids.filter((id) => ids.includes(id))), ...ids])]',
        'return groups.length < 0 ? [] : ids',
      ],
    ],
  ),
  ...faultsIn(
    'domain/data/property_types/plain_values.ts',
    [...sorting, 'operations/data_sources/queryDataSource.sorts.test.ts'],
    [
      [
        'a formula that gives false sorts as empty',
        "if (typeof value === 'boolean') return Number(value)",
        "if (typeof value === 'boolean') return value ? 1 : null",
      ],
    ],
  ),
  ...faultsIn('domain/data/property_types/rollup.ts', computed, [
    [
      '`none` is `any`',
      'if (none) return (value) => !elements(value).some(test)',
      'if (none) return (value) => elements(value).some(test)',
    ],
  ]),
  ...faultsIn(
    'domain/data/property_types/formula.ts',
    [...computed, 'operations/data_sources/queryDataSource.conditions.test.ts'],
    [
      ['an empty formula counts as zero', ' return result.number\n', ' return result.number ?? 0\n'],
      [
        'a condition that does not fit the type of a formula is accepted',
        '  if (own !== key) {',
        "  if (own !== key && key !== 'string') {",
      ],
    ],
  ),
  ...faultsIn(
    'domain/data/property_types/valueless.ts',
    [...filters, 'operations/data_sources/queryDataSource.conditions.test.ts'],
    [
      [
        'buttons can be filtered',
        "  filter: 'none',\n",
        "  filter: { keys: 'own', operands: 'others', parse: () => ({ test: { kind: 'all', tests: [] }, holds: () => true, needs: { columns: [], links: [] } }) },\n",
      ],
    ],
  ),
  ...faultsIn('domain/data/property_types/number.ts', retype, [
    ['a negative number in a text is not converted', '/^[+-]?(?:\\d+(?:\\.\\d*)?', '/^(?:\\d+(?:\\.\\d*)?'],
  ]),
  ...faultsIn('domain/data/property_types/text_of_date.ts', retype, [
    ['a date range becomes the text of its start', 'end === null ? start :', 'end !== start ? start :'],
  ]),
  ...faultsIn('domain/data/property_types/words.ts', retype, [
    ['an upper-case email address matches nobody', 'return id ?? text.toLowerCase()', 'return id ?? text'],
  ]),
  ...faultsIn('domain/data/property_types/place.ts', retype, [
    [
      'a place without a name becomes an empty text',
      '=> name ?? address ?? `${lat}, ${lon}`',
      "=> name ?? address ?? (lat > lon ? `${lat}` : '')",
    ],
  ]),
  ...faultsIn(
    'domain/data/property_types/place.ts',
    ['rollups/roll_up.test.ts'],
    [['a place without a name is empty', 'isEmpty: (payload) => payload === null,', "isEmpty: 'by plain value',"]],
  ),
  ...faultsIn(
    'domain/data/property_types/files.ts',
    ['rollups/roll_up.test.ts'],
    [['a hosted file differs in each response', "file.file.url.split('?', 1)[0]", 'file.file.url']],
  ),
  ...faultsIn(
    'domain/data/property_types/files.ts',
    ['operations/pages/updatePage.uploads.test.ts', 'operations/pages/updatePage.row_values.test.ts'],
    [['a file without a name gets no default name', "file.name || (facts.files.get(file.file.id)?.name ?? '')", 'file.name']],
  ),
]
