import { faultsIn, type Fault } from '../fault.ts'

const filters = [
  'operations/data_sources/queryDataSource.filters.test.ts',
  'operations/data_sources/queryDataSource.reference.test.ts',
]
const sorting = ['operations/data_sources/queryDataSource.test.ts', 'operations/data_sources/queryDataSource.reference.test.ts']
const computed = ['operations/data_sources/queryDataSource.computed.test.ts']

/** Queries of rows: what filters mean, the order of rows, and where the walk goes. */
export const queries: readonly Fault[] = [
  ...faultsIn(
    'domain/queries/filter.ts',
    [...filters, 'operations/data_sources/queryDataSource.conditions.test.ts'],
    [
      ['`or` means `and`', "    ['or', 'any'],", "    ['or', 'all'],"],
      [
        'text conditions on numbers are taken',
        "(key === 'rich_text' && filter.keys === 'own or rich_text')",
        "key === 'rich_text'",
      ],
    ],
  ),
  ...faultsIn('domain/properties/stored.ts', filters, [
    ['an unknown property is named without its name', '${JSON.stringify(key)}`', '${typeof key}`'],
  ]),
  ...faultsIn(
    'domain/queries/criteria.ts',
    [...filters, 'operations/data_sources/queryDataSource.conditions.test.ts'],
    [
      [
        'a filter by creation looks at the last edit',
        "column === 'created_time' ? block.createdTime : block.lastEditedTime",
        "column === 'created_time' ? block.lastEditedTime : block.lastEditedTime",
      ],
      [
        '`does_not_equal` lets rows without a value through never',
        '        bounds: check.bounds,\n      })',
        '        bounds: check.negated ? [] : check.bounds,\n      })',
      ],

      [
        'a negated list ignores its negation',
        "return negatedIf(check.negated, { kind: 'keys', propertyId, keys: check.keys })",
        "return { kind: 'keys', propertyId, keys: check.keys }",
      ],
      [
        'a long text counts as wholly indexed',
        'isKeyWhole: [...operand].length < SORTED_LENGTH && storable(operand) === operand',
        'isKeyWhole: storable(operand) === operand',
      ],
      [
        '`is_empty` of an author is true',
        "      : always(check.kind === 'present')\n  const read = ({ block }: LoadedRow): string[]",
        "      : always(check.kind === 'empty')\n  const read = ({ block }: LoadedRow): string[]",
      ],
      [
        'filters by who edited last look at who created',
        "[column === 'created_by' ? block.createdBy : block.lastEditedBy]",
        '[block.createdBy]',
      ],
    ],
  ),
  ...faultsIn(
    'domain/queries/conditions.ts',
    [...filters, 'operations/data_sources/queryDataSource.conditions.test.ts'],
    [
      ['`does_not_contain` contains', "  does_not_contain: ['contains', true],", "  does_not_contain: ['contains', false],"],
      ['`ends_with` looks at the start', "  ends_with: ['ends', false],", "  ends_with: ['starts', false],"],
      ['`greater_than` lets the number itself through', "  greater_than: '>',", "  greater_than: '>=',"],
      ['`less_than_or_equal_to` does not', "  less_than_or_equal_to: '<=',", "  less_than_or_equal_to: '<',"],
      [
        '`me` is nobody',
        "written === 'me' ? me : canonicalId(written)",
        "written === 'me' ? canonicalId('') : canonicalId(written)",
      ],
      [
        'ids of people without dashes match nobody',
        "written === 'me' ? me : canonicalId(written)",
        "written === 'me' ? me : written",
      ],
      ['ids of related pages without dashes match nothing', '(written) => [canonicalId(written)]', '(written) => [written]'],
      [
        'an option id wins over an equal option name',
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
        'of several options the first alone counts',
        'return [...new Set(written.map((one, index) => optionId(property, one, `${path}[${index}]`)))]',
        'return [...new Set(written.map((one, index) => optionId(property, one, `${path}[${index}]`)))].slice(0, 1)',
      ],
      [
        '`is_not_empty` is `is_empty`',
        "  return isPresent ? { kind: 'present' } : undefined",
        "  return isPresent ? { kind: 'empty' } : undefined",
      ],
    ],
  ),
  ...faultsIn(
    'domain/queries/date_ranges.ts',
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
        'the past week leaves today out',
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
    'domain/queries/checks.ts',
    [...filters.concat(computed), 'operations/data_sources/queryDataSource.conditions.test.ts'],
    [
      ['`contains` minds the case', 'return lower.includes(wanted)', 'return text.includes(operand)'],
      ['`equals` ignores the case', 'return text === operand', 'return lower === wanted'],
      [
        'of two bounds one is enough',
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
  ...faultsIn('domain/queries/criterion.ts', filters, [
    [
      'no condition at all matches nothing',
      '  if (parts.length === 0) return EVERY_ROW',
      "  if (parts.length === 0) return { ...EVERY_ROW, test: { kind: 'any', tests: [] }, holds: () => false }",
    ],
    [
      'of the columns that conditions need only the first are loaded',
      'columns: [...new Set(parts.flatMap(({ needs }) => needs.columns))]',
      'columns: parts[0]?.needs.columns ?? []',
    ],
  ]),
  ...faultsIn('domain/queries/sort_values.ts', sorting, [
    [
      'empty values come first when descending',
      'return Number(a === null) - Number(b === null)',
      "return (Number(a === null) - Number(b === null)) * (direction === 'ascending' ? 1 : -1)",
    ],
    ['of equal rows the oldest comes first', 'return other.created - one.created ||', 'return one.created - other.created ||'],
    ['rows of one moment come in no order', '|| (one.id < other.id ? -1 : Number(one.id > other.id))', '|| 0'],
    [
      'dates sort by their start alone',
      'return first === null ? null : [first, second ?? first]',
      'return first === null ? null : [first, first]',
    ],
    ['a removed option sorts before all others', 'return place === -1 ? null : place', 'return place'],
    ['an expired verification sorts as verified', 'Number(first) <= now ? 1 : 2', '2'],

    [
      'a shorter list of options comes after a longer one',
      '    return a.length - b.length\n',
      '    return b.length - a.length\n',
    ],
  ]),
  ...faultsIn(
    'domain/queries/sorts.ts',
    [
      ...sorting,
      'operations/data_sources/queryDataSource.sorts.test.ts',
      'operations/data_sources/queryDataSource.corners.test.ts',
    ],
    [
      [
        'a column named created_time loses against the time of the row',
        "    if (property) return { direction, source: sourceOf(property, schema, place) }\n    if (sort.property === 'created_time' || sort.property === 'last_edited_time')\n      return { direction, source: timeSource(sort.property) }",
        "    if (sort.property === 'created_time' || sort.property === 'last_edited_time')\n      return { direction, source: timeSource(sort.property) }\n    if (property) return { direction, source: sourceOf(property, schema, place) }",
      ],
      [
        'the time of the last edit sorts by creation',
        "return { kind: column === 'created_time' ? 'creation' : 'edits' }",
        "return { kind: 'creation' }",
      ],
    ],
  ),
  ...faultsIn(
    'domain/queries/plan.ts',
    [...sorting, ...filters],
    [
      [
        'rows without a value are left out when sorting',
        'return [along({ along: source.kind, propertyId: source.propertyId }), ...without(source.propertyId, null)]',
        'return [along({ along: source.kind, propertyId: source.propertyId })]',
      ],
      [
        'checked boxes come first when ascending',
        "return direction === 'ascending' ? [...unchecked, checked] : [checked, ...unchecked]",
        "return direction === 'descending' ? [...unchecked, checked] : [checked, ...unchecked]",
      ],
      [
        'options are met in the order of the schema in either direction',
        "direction === 'ascending' ? segments : segments.toReversed()",
        'segments',
      ],
      [
        'bounds on one property limit the walk along another',
        "'propertyId' in path && part.propertyId === path.propertyId ? part.bounds : []",
        "'propertyId' in path ? part.bounds : []",
      ],
      [
        'conditions of an `or` limit the walk',
        "return test.kind === 'all' ? test.tests.flatMap(conjuncts) : [test]",
        "return test.kind === 'all' || test.kind === 'any' ? test.tests.flatMap(conjuncts) : [test]",
      ],
      [
        'a condition that few rows meet leaves one row out',
        'if (count <= (best?.count ?? most)) best = { segments, count }',
        'if (count <= (best?.count ?? most)) best = { segments: segments.slice(0, 1), count }',
      ],
    ],
  ),
  ...faultsIn(
    'domain/queries/select.ts',
    [...sorting, 'operations/data_sources/queryDataSource.paging.test.ts'],
    [
      [
        'the next page begins with the last row of this one',
        'comparePlaces(sorts, row, after) > 0',
        'comparePlaces(sorts, row, after) >= 0',
      ],
      [
        'two sorts are taken for one',
        'const probed = sorts.slice(segment.values.length)',
        'const probed = sorts.slice(segment.values.length, 1)',
      ],
      [
        'values that a cursor has no room for count as empty',
        '    if (row.values.length >= sorts.length) return row\n',
        '    if (row.values.length >= 0) return row\n',
      ],
      [
        'rows that the index cannot decide are left out',
        "return looked.filter(({ id, verdict }) => verdict === 'passes' || passing.has(id))",
        "return looked.filter(({ verdict }) => verdict === 'passes')",
      ],
      [
        'a page of equal rows ends with the first group',
        'if (isNext && isComplete(search)) return true',
        'if (isNext && (group !== undefined || isComplete(search))) return true',
      ],
    ],
  ),
  ...faultsIn(
    'domain/queries/top_k.ts',
    [...sorting, ...filters],
    [['a row that is met twice is given twice', 'if (merged.at(-1)?.id !== next.id) merged.push(next)', 'merged.push(next)']],
  ),
  ...faultsIn(
    'domain/queries/query.ts',
    [
      'operations/data_sources/queryDataSource.test.ts',
      'operations/data_sources/queryDataSource.corners.test.ts',
      'operations/data_sources/queryDataSource.limit.test.ts',
      'operations/data_sources/queryDataSource.bad_input.test.ts',
    ],
    [
      [
        'a data source below a trashed page is queried',
        'if (dataSource.inTrash || (await isBelowTrash(scope.db, scope.actor.workspaceId, dataSource.id)))',
        'if (dataSource.inTrash)',
      ],
      [
        'a data source in the trash is queried',
        'if (dataSource.inTrash || (await isBelowTrash(scope.db, scope.actor.workspaceId, dataSource.id)))',
        'if (await isBelowTrash(scope.db, scope.actor.workspaceId, dataSource.id))',
      ],
      [
        'a wrong filter is taken where only data sources are asked for',
        '    await parseRowQuery(scope, dataSource, { filter, sorts })\n',
        '',
      ],
      [
        '`in_trash` is ignored',
        'return queryRows(scope, dataSource, { filter, sorts, inTrash },',
        'return queryRows(scope, dataSource, { filter, sorts, inTrash: false },',
      ],
      ['the cap on rows is not told', '...(isIncomplete ? { request_status:', '...(isIncomplete && next ? { request_status:'],
      ['which properties to show is ignored', 'shown && { keys: shown, byName: true }', 'undefined'],
    ],
  ),
  ...faultsIn(
    'domain/queries/count.ts',
    [
      'operations/data_sources/queryDataSource.paging.test.ts',
      'operations/data_sources/queryDataSource.corners.test.ts',
      'operations/data_sources/queryDataSource.limit.test.ts',
    ],
    [
      [
        'as many rows as may be given are called too many',
        'limit + 1)) <= limit) return false\n    if (segment.key)',
        'limit + 1)) < limit) return false\n    if (segment.key)',
      ],
      ['more rows than may be given are never told', '    if (passed > limit) return true\n', ''],
    ],
  ),
  ...faultsIn(
    'domain/queries/positions.ts',
    ['operations/data_sources/queryDataSource.paging.test.ts', 'operations/data_sources/queryDataSource.limit.test.ts'],
    [
      ['the cap is forgotten between pages', "isIncomplete: isIncomplete === '1'", 'isIncomplete: false'],
      ['how many rows were given is forgotten', 'given: Number(given),', 'given: 0,'],
      [
        'cursors of long texts outgrow the contract',
        'while (Buffer.byteLength(JSON.stringify(JSON.stringify(values))) > VALUES_BYTES_MAX) values.pop()',
        'while (Buffer.byteLength(JSON.stringify(JSON.stringify(values))) > 100 * VALUES_BYTES_MAX) values.pop()',
      ],
    ],
  ),
  ...faultsIn(
    'domain/queries/checks.ts',
    [...filters.concat(computed), 'operations/data_sources/queryDataSource.conditions.test.ts'],
    [['a formula without a value is unchecked and checked', "value === '' || value === false ||", "value === '' ||"]],
  ),
]
