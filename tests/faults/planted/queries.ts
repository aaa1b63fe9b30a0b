import { faultsIn, type Fault } from '../fault.ts'
import { filters } from './query_filters.ts'

const sorting = ['operations/data_sources/queryDataSource.test.ts', 'operations/data_sources/queryDataSource.reference.test.ts']

/** Queries of rows: their order, the ranges of indexes that they scan, and their pages. */
export const queries: readonly Fault[] = [
  ...faultsIn('domain/data/queries/sort_values.ts', sorting, [
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
    'domain/data/queries/sorts.ts',
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
    'domain/data/queries/plan.ts',
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
        'bounds on one property limit the scan of another',
        "'propertyId' in path && part.propertyId === path.propertyId ? part.bounds : []",
        "'propertyId' in path ? part.bounds : []",
      ],
      [
        'conditions of an `or` limit the scan',
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
    'domain/data/queries/select.ts',
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
    'domain/data/queries/top_k.ts',
    [...sorting, ...filters],
    [['a row that is met twice is given twice', 'if (merged.at(-1)?.id !== next.id) merged.push(next)', 'merged.push(next)']],
  ),
  ...faultsIn(
    'domain/data/queries/query.ts',
    [
      'operations/data_sources/queryDataSource.test.ts',
      'operations/data_sources/queryDataSource.corners.test.ts',
      'operations/data_sources/queryDataSource.limit.test.ts',
      'operations/data_sources/queryDataSource.bad_input.test.ts',
    ],
    [
      [
        'a data source below a trashed page is queried',
        'if (inTrash || (await isBelowTrash(db, actor.workspaceId, id)))',
        'if (inTrash)',
      ],
      [
        'a data source in the trash is queried',
        'if (inTrash || (await isBelowTrash(db, actor.workspaceId, id)))',
        'if (await isBelowTrash(db, actor.workspaceId, id))',
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
      [
        'which properties to show is ignored',
        'presentPageBlocks(scope, found, shown)',
        'presentPageBlocks(scope, found, undefined)',
      ],
    ],
  ),
  ...faultsIn(
    'domain/data/queries/positions.ts',
    ['operations/data_sources/queryDataSource.paging.test.ts', 'operations/data_sources/queryDataSource.limit.test.ts'],
    [
      ['how many rows were given is forgotten', 'given: Number(given),', 'given: 0,'],
      [
        'cursors of long texts outgrow the contract',
        'while (Buffer.byteLength(JSON.stringify(JSON.stringify(values))) > VALUES_BYTES_MAX) values.pop()',
        'while (Buffer.byteLength(JSON.stringify(JSON.stringify(values))) > 100 * VALUES_BYTES_MAX) values.pop()',
      ],
    ],
  ),
  ...faultsIn(
    'domain/data/queries/index_scan.ts',
    [...sorting, 'operations/data_sources/queryDataSource.sorts.test.ts'],
    [['rows of one value come oldest first, sorted downwards', '.flatMap((group) => group.toReversed())', '.flat()']],
  ),
  ...faultsIn(
    'domain/data/queries/loaded_rows.ts',
    ['operations/data_sources/updateDataSource.many_links.test.ts'],
    [
      [
        'filters do not find links beyond the hundredth',
        'storedLinks(values[propertyId]).more)',
        'storedLinks(values[propertyId]).more === undefined)',
      ],
    ],
  ),
  ...faultsIn(
    'domain/data/queries/query_rows.ts',
    ['operations/data_sources/queryDataSource.limit.test.ts'],
    [
      [
        'a query continues after its last row',
        'const isEnd = given + wanted >= limits.rows',
        'const isEnd = given + wanted > limits.rows',
      ],
      ['as many rows as a query returns are called too many', 'isIncomplete: isMore && isEnd', 'isIncomplete: isEnd'],
      ['rows beyond the limit are not reported', 'isIncomplete: isMore && isEnd', 'isIncomplete: false'],
    ],
  ),
  ...faultsIn(
    'domain/data/queries/sort_source.ts',
    ['operations/pages/updatePage.row_corners.test.ts'],
    [['computed ranges sort by their start alone', 'Date.parse(date.end ?? date.start)]', 'Date.parse(date.start)]']],
  ),
]
