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
    ['equal rows sort oldest first', 'return other.created - one.created ||', 'return one.created - other.created ||'],
    ['rows of the same time have no fixed order', '|| (one.id < other.id ? -1 : Number(one.id > other.id))', '|| 0'],
    [
      'dates sort by their start only',
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
        'a timestamp precedes a property named created_time',
        "    if (property) return { direction, source: sourceOf(property, schema, place) }\n    if (sort.property === 'created_time' || sort.property === 'last_edited_time')\n      return { direction, source: timeSource(sort.property) }",
        "    if (sort.property === 'created_time' || sort.property === 'last_edited_time')\n      return { direction, source: timeSource(sort.property) }\n    if (property) return { direction, source: sourceOf(property, schema, place) }",
      ],
      [
        'a sort by last_edited_time uses the creation time',
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
        'a sort omits rows without a value',
        'return [along({ along: source.kind, propertyId: source.propertyId }), ...without(source.propertyId, null)]',
        'return [along({ along: source.kind, propertyId: source.propertyId })]',
      ],
      [
        'checked checkboxes sort first in ascending order',
        "return direction === 'ascending' ? [...unchecked, checked] : [checked, ...unchecked]",
        "return direction === 'descending' ? [...unchecked, checked] : [checked, ...unchecked]",
      ],
      ['options sort ascending in either direction', "direction === 'ascending' ? segments : segments.toReversed()", 'segments'],
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
        'a selective condition omits one row',
        'if (count <= (best?.count ?? most)) best = { segments, count }',
        'if (count <= (best?.count ?? most)) best = { segments: segments.slice(0, 1), count }',
      ],
    ],
  ),
  ...faultsIn(
    'domain/data/queries/select.ts',
    [...sorting, 'operations/data_sources/queryDataSource.paging.test.ts'],
    [
      ['the next page repeats the last row', 'comparePlaces(sorts, row, after) > 0', 'comparePlaces(sorts, row, after) >= 0'],
      [
        'a second sort is ignored',
        'const probed = sorts.slice(segment.values.length)',
        'const probed = sorts.slice(segment.values.length, 1)',
      ],
      [
        'values that do not fit into a cursor count as empty',
        '    if (row.values.length >= sorts.length) return row\n',
        '    if (row.values.length >= 0) return row\n',
      ],
      [
        'rows that the index cannot decide are omitted',
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
    [
      [
        'a row that is found twice is returned twice',
        'if (merged.at(-1)?.id !== next.id) merged.push(next)',
        'merged.push(next)',
      ],
    ],
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
        'a data source below the trash can be queried',
        'if (inTrash || (await isBelowTrash(db, actor.workspaceId, id)))',
        'if (inTrash)',
      ],
      [
        'a data source in the trash can be queried',
        'if (inTrash || (await isBelowTrash(db, actor.workspaceId, id)))',
        'if (await isBelowTrash(db, actor.workspaceId, id))',
      ],
      [
        'an invalid filter is accepted when only data sources are requested',
        '    await parseRowQuery(scope, dataSource, { filter, sorts })\n',
        '',
      ],
      [
        '`in_trash` is ignored',
        'return queryRows(scope, dataSource, { filter, sorts, inTrash },',
        'return queryRows(scope, dataSource, { filter, sorts, inTrash: false },',
      ],
      [
        'the limit on rows is not reported',
        '...(isIncomplete ? { request_status:',
        '...(isIncomplete && next ? { request_status:',
      ],
      ['filter_properties is ignored', 'presentPageBlocks(scope, found, shown)', 'presentPageBlocks(scope, found, undefined)'],
    ],
  ),
  ...faultsIn(
    'domain/data/queries/positions.ts',
    ['operations/data_sources/queryDataSource.paging.test.ts', 'operations/data_sources/queryDataSource.limit.test.ts'],
    [
      ['a cursor loses the number of returned rows', 'given: Number(given),', 'given: 0,'],
      [
        "cursors of long texts exceed the contract's limit",
        'while (Buffer.byteLength(JSON.stringify(JSON.stringify(values))) > VALUES_BYTES_MAX) values.pop()',
        'while (Buffer.byteLength(JSON.stringify(JSON.stringify(values))) > 100 * VALUES_BYTES_MAX) values.pop()',
      ],
    ],
  ),
  ...faultsIn(
    'domain/data/queries/index_scan.ts',
    [...sorting, 'operations/data_sources/queryDataSource.sorts.test.ts'],
    [['rows of equal values sort oldest first in descending order', '.flatMap((group) => group.toReversed())', '.flat()']],
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
      [
        'a query of exactly the maximum of rows is reported as incomplete',
        'isIncomplete: isMore && isEnd',
        'isIncomplete: isEnd',
      ],
      ['rows beyond the limit are not reported', 'isIncomplete: isMore && isEnd', 'isIncomplete: false'],
    ],
  ),
  ...faultsIn(
    'domain/data/queries/sort_source.ts',
    ['operations/pages/updatePage.row_corners.test.ts'],
    [['computed date ranges sort by their start only', 'Date.parse(date.end ?? date.start)]', 'Date.parse(date.start)]']],
  ),
]
