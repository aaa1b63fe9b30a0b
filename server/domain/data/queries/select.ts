import { yieldToEventLoop, chunks } from '../../../kernel/yield_to_event_loop.ts'
import { collationKey } from '../../../kernel/collation.ts'
import { countRows } from '../../../store/data_sources.ts'
import { findGroupNames } from '../../../store/members.ts'
import { ANY_ROW, hasUnknown, sizeOf } from '../../../store/row_tests.ts'
import type { RowSet } from '../../../store/access_paths.ts'
import { hasMoreRowsAlong, scanRowsById, type ScannedRow } from '../../../store/row_scans.ts'
import type { DataSource } from '../data_sources/load.ts'
import { gatherFacts } from '../../content/index.ts'
import type { Scope } from '../../shared/index.ts'
import { TopK } from './top_k.ts'
import type { Criterion } from './criterion.ts'
import type { QueryLimits } from './limits.ts'
import type { LoadedRow } from './loaded_row.ts'
import { loadRows } from './loaded_rows.ts'
import { Batches } from './batches.ts'
import { keyRangeOf, planOf, segmentsOfGroup, type ScanSegment } from './plan.ts'
import type { QuerySchema } from './schema.ts'
import { columnsOf, comparePlaces, compareSorted, valueOfColumns, type PlacedRow } from './sort_values.ts'
import type { SortValue } from './sort_source.ts'
import type { ParsedSort } from './sorts.ts'
import { scanSegment, valueOfKey, type ScanStart } from './index_scan.ts'

export interface ParsedQuery {
  readonly schema: QuerySchema
  readonly criterion: Criterion
  readonly sorts: readonly ParsedSort[]
  readonly inTrash: boolean
}

/** If there is a filter, the first batch has this many times as many rows as wanted: few filters let all rows pass. */
const FILTERED_FACTOR = 3

/** The results of a query so far, and its remaining limits. */
interface Search {
  readonly isSorted: boolean
  readonly mayHaveLargeGroups: boolean
  readonly after: PlacedRow | undefined
  readonly limit: number
  readonly best: TopK
  readonly batches: Batches
  /** The search of a large group in the order of the next sort stops after examining this many rows. */
  readonly examinedMax: number
}

/** Finds the rows of one query. */
export class Selection {
  readonly #scope: Scope
  readonly #query: ParsedQuery
  readonly #rows: RowSet
  readonly #limits: QueryLimits
  readonly #names = new Map<string, string>()

  constructor(scope: Scope, query: ParsedQuery, limits: QueryLimits) {
    this.#limits = limits
    this.#scope = scope
    this.#query = query
    this.#rows = rowSetOf(scope, query.schema.dataSource, query.inTrash)
  }

  /** The next rows in the order of the query. @param last the row after which to continue, with the values of at least the first sorts */
  async next(last: PlacedRow | undefined, limit: number): Promise<PlacedRow[]> {
    const { criterion, sorts } = this.#query
    const after = last && (await this.#whole(last))
    const { segments, isSorted } = await planOf(this.#scope, this.#rows, criterion.test, sorts, this.#limits)
    const rowsAtFirst = hasUnknown(criterion.test)
      ? this.#limits.documents
      : limit * (sizeOf(criterion.test) === 0 ? 1 : FILTERED_FACTOR)
    const rowsAtMost = Math.ceil(this.#limits.batch / (1 + sizeOf(criterion.test) + sorts.length))
    const batches = new Batches(this.#scope, rowsAtFirst, rowsAtMost)
    const mayHaveLargeGroups = isSorted && sorts.length > 1 && (await this.#isLarge())
    const best = new TopK(sorts, limit)
    const search: Search = { isSorted, mayHaveLargeGroups, after, limit, best, batches, examinedMax: Infinity }
    await this.#takeAll(search, segments)
    return best.rows()
  }

  async #isLarge(): Promise<boolean> {
    const { id } = this.#query.schema.dataSource
    return (await countRows(this.#scope.db, this.#rows.workspaceId, id)) > this.#limits.group[0]
  }

  /**
   * Collects rows of segments until there are enough.
   * @returns false if the search had to stop earlier
   */
  async #takeAll(search: Search, segments: readonly ScanSegment[]): Promise<boolean> {
    for (const segment of segments) {
      if (isComplete(search)) return true
      const start = search.isSorted ? startOf(segment, this.#query.sorts, search.after) : undefined
      if (start !== 'passed' && !(await this.#take(search, segment, start))) return false
    }
    return true
  }

  async #take(search: Search, segment: ScanSegment, start: ScanStart | undefined): Promise<boolean> {
    if (search.mayHaveLargeGroups && (await this.#takeGroup(search, segment))) return true
    const { sorts, criterion } = this.#query
    const { batches, best, after } = search
    const probed = sorts.slice(segment.values.length)
    const columns = probed.flatMap(({ source }) => columnsOf(source))
    const scan = { scope: this.#scope, rows: this.#rows, test: criterion.test, columns, batches }
    const hasKeys = segment.values.includes('key')
    let group: SortValue | undefined
    for await (const result of scanSegment(scan, segment, start)) {
      if ('rest' in result) {
        if (!(await this.#take(search, result.rest, result.start))) return false
      } else {
        for (const { row, value } of await this.#placed(result, segment, probed)) {
          const isNext = probed.length === 0 || (group !== undefined && !isSame(group, value))
          if (isNext && isComplete(search)) return true
          group = value
          if (!after || comparePlaces(sorts, row, after) > 0) best.add(row)
        }
      }
      if ((probed.length === 0 || ('rest' in result && hasKeys)) && isComplete(search)) return true
      if (batches.examined > search.examinedMax) return false
    }
    return true
  }

  /**
   * Collects rows of a large group of equal values in the order of the next sort.
   * @returns whether no rows remain
   */
  async #takeGroup(search: Search, group: ScanSegment): Promise<boolean> {
    const segments = segmentsOfGroup(group, this.#query.sorts, this.#query.criterion.test)
    if (!segments) return false
    const [least, most] = this.#limits.group
    const isLarge = await hasMoreRowsAlong(this.#scope.db, this.#rows, group.path, keyRangeOf(group), least)
    await yieldToEventLoop()
    if (!isLarge) return false
    const { limit, batches } = search
    const examinedMax = Math.min(search.examinedMax, batches.examined + most)
    const own = { ...search, best: new TopK(this.#query.sorts, limit), examinedMax }
    const isDone = await this.#takeAll(own, segments)
    if (isDone) for (const row of own.best.rows()) search.best.add(row)
    return isDone
  }

  /** Completes the sort values of a row from a cursor, which may not have had room for all of them. */
  async #whole(row: PlacedRow): Promise<PlacedRow> {
    const { sorts } = this.#query
    if (row.values.length >= sorts.length) return row
    const columns = sorts.flatMap(({ source }) => columnsOf(source))
    const found = await scanRowsById(this.#scope.db, this.#rows, [row.id], ANY_ROW, columns)
    const [values = []] = await this.#valuesOf(found, sorts)
    return { ...row, values: sorts.map((_sort, index) => (index < row.values.length ? row.values : values)[index] ?? null) }
  }

  /** The rows that match the filter. Loads those for which the index cannot decide. */
  async #decide(looked: readonly ScannedRow[]): Promise<ScannedRow[]> {
    const { criterion, schema } = this.#query
    const unknown = looked.filter(({ verdict }) => verdict === 'unknown').map(({ id }) => id)
    const passing = new Set<string>()
    for (const ids of chunks(unknown, this.#limits.documents)) {
      this.#scope.requireTime?.()
      for (const [id, row] of await loadRows(this.#scope, schema.dataSource, ids, criterion.needs)) {
        if (criterion.holds(row)) passing.add(id)
        // A filter may have ten thousand conditions, so one row can take long.
        if (hasUnknown(criterion.test)) await yieldToEventLoop()
      }
      await yieldToEventLoop()
    }
    return looked.filter(({ id, verdict }) => verdict === 'passes' || passing.has(id))
  }

  /** The rows of a segment that match the filter, with all their sort values. Values that all rows share are taken from the segment. */
  async #placed(
    scanned: readonly ScannedRow[],
    segment: ScanSegment,
    probed: readonly ParsedSort[],
  ): Promise<{ readonly row: PlacedRow; readonly value: SortValue }[]> {
    const passed = await this.#decide(scanned)
    const values = await this.#valuesOf(passed, probed)
    return passed.map(({ id, created, key }, index) => {
      const value = segment.values.includes('key') ? valueOfKey(key) : null
      const leading = segment.values.map((own) => (own === 'key' ? value : own))
      return { row: { id, created, values: [...leading, ...(values[index] ?? [])] }, value }
    })
  }

  async #valuesOf(rows: readonly ScannedRow[], sorts: readonly ParsedSort[]): Promise<SortValue[][]> {
    if (sorts.length === 0) return []
    const loaded = await this.#loadFor(rows, sorts)
    await this.#findNames(rows, sorts)
    return rows.map((row) => {
      let place = 0
      return sorts.map(({ source }) => {
        if (source.kind === 'value') {
          const own = loaded.get(row.id)
          return own ? source.valueOf(own) : null
        }
        const { length } = columnsOf(source)
        const columns = row.sorts.slice(place, (place += length))
        return valueOfColumns(source, columns, row.created, this.#names, this.#scope.now)
      })
    })
  }

  /** Loads rows for sorts that need their documents. */
  async #loadFor(rows: readonly ScannedRow[], sorts: readonly ParsedSort[]): Promise<Map<string, LoadedRow>> {
    const loaded = new Map<string, LoadedRow>()
    const columns = sorts.flatMap(({ source }) => (source.kind === 'value' ? [source.property] : []))
    if (columns.length === 0) return loaded
    const needs = { columns, links: [] }
    const all = rows.map(({ id }) => id)
    for (const ids of chunks(all, this.#limits.documents)) {
      this.#scope.requireTime?.()
      for (const [id, row] of await loadRows(this.#scope, this.#query.schema.dataSource, ids, needs)) loaded.set(id, row)
      await yieldToEventLoop()
    }
    return loaded
  }

  /** Reads the names for sorting rows, each once. */
  async #findNames(rows: readonly ScannedRow[], sorts: readonly ParsedSort[]): Promise<void> {
    const people = new Set<string>()
    const pages = new Set<string>()
    let place = 0
    for (const { source } of sorts) {
      const kept = place
      place += columnsOf(source).length
      const target = source.kind === 'pages' ? pages : source.kind === 'people' || source.kind === 'author' ? people : undefined
      if (!target) continue
      for (const row of rows) {
        const id = row.sorts[kept]
        if (typeof id === 'string' && !this.#names.has(id)) target.add(id)
      }
    }
    for (const ids of chunks([...people, ...pages], this.#limits.names)) {
      const mentions = ids.map((id) => (pages.has(id) ? { type: 'page', page: { id } } : { type: 'user', user: { id } }))
      const { users, titles } = await gatherFacts(this.#scope, mentions)
      const others = ids.filter((id) => !pages.has(id) && !users.has(id))
      const groups = await findGroupNames(this.#scope.db, this.#scope.actor.workspaceId, others)
      for (const id of ids) {
        const user = users.get(id)
        const name = user && 'name' in user ? user.name : (groups.get(id) ?? titles.get(id))
        this.#names.set(id, collationKey(name ?? ''))
      }
      await yieldToEventLoop()
    }
  }
}

export function rowSetOf({ actor }: Scope, { id }: DataSource, inTrash: boolean): RowSet {
  return { workspaceId: actor.workspaceId, dataSourceId: id, inTrash }
}

/** Whether no later row in the order of the query can be among the wanted ones. */
function isComplete({ isSorted, best }: Search): boolean {
  return isSorted && best.isFull
}

function isSame(a: SortValue, b: SortValue): boolean {
  return compareSorted(a, b, 'ascending') === 0
}

/**
 * The position in a segment from which to resume after a row: `passed` if all its rows come before that row; undefined to start at the
 * beginning of the segment.
 */
function startOf(
  segment: ScanSegment,
  sorts: readonly ParsedSort[],
  after: PlacedRow | undefined,
): ScanStart | 'passed' | undefined {
  if (!after) return undefined
  const { created, id } = after
  const tie = segment.values.length >= sorts.length ? { created, id } : undefined
  for (const [index, value] of segment.values.entries()) {
    const reached = after.values[index] ?? null
    if (value === 'key') {
      if (reached === null) return 'passed'
      return { key: typeof reached === 'object' ? reached : [reached], after: tie }
    }
    const order = compareSorted(value, reached, sorts[index]?.direction ?? 'ascending')
    if (order !== 0) return order < 0 ? 'passed' : undefined
  }
  return tie && { key: segment.key ?? [created], after: tie }
}
