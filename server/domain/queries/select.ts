import { yieldToEventLoop, chunks } from '../../kernel/yield_to_event_loop.ts'
import { collationKey } from '../../kernel/collation.ts'
import { findGroupNames } from '../../store/members.ts'
import { ANY_ROW, hasUnknown, sizeOf } from '../../store/row_tests.ts'
import type { RowSet } from '../../store/access_paths.ts'
import { scanRowsById, type ScannedRow } from '../../store/row_scans.ts'
import type { DataSource } from '../data_sources/load.ts'
import { gatherFacts } from '../rich_text/gather.ts'
import type { Scope } from '../scope.ts'
import { TopK } from './top_k.ts'
import type { Criterion } from './criterion.ts'
import type { QueryLimits } from './limits.ts'
import type { LoadedRow } from './loaded_row.ts'
import { loadRows } from './loaded_rows.ts'
import { AdaptiveBatches } from './adaptive_batches.ts'
import { planOf, type Plan, type ScanSegment } from './plan.ts'
import type { QuerySchema } from './schema.ts'
import { columnsOf, comparePlaces, compareSorted, valueOfColumns, type PlacedRow } from './sort_values.ts'
import type { SortValue } from './sort_source.ts'
import type { ParsedSort } from './sorts.ts'
import { scanSegment, type Scan, type ScanStart } from './index_scan.ts'

/** A parsed query. */
export interface ParsedQuery {
  readonly schema: QuerySchema
  readonly criterion: Criterion
  readonly sorts: readonly ParsedSort[]
  readonly inTrash: boolean
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

  /** The next rows in the order of the query. @param last the row to continue after, with at least the values of its first sorts */
  async next(last: PlacedRow | undefined, limit: number): Promise<PlacedRow[]> {
    const { criterion, sorts } = this.#query
    const after = last && (await this.#whole(last))
    const plan = await planOf(this.#scope, this.#rows, criterion.test, sorts, this.#limits)
    const best = new TopK(sorts, limit)
    const known = plan.order === 'none' ? new Set<string>() : undefined
    let group: { readonly value: SortValue } | undefined
    for await (const { row, value } of this.#met(plan, after, limit)) {
      if (known?.has(row.id)) continue
      known?.add(row.id)
      if (plan.order === 'grouped' && (!group || !isSame(group.value, value))) {
        if (best.isFull) break
        group = { value }
      }
      if (!after || comparePlaces(sorts, row, after) > 0) best.add(row)
      if (plan.order === 'exact' && best.isFull) break
    }
    return best.rows()
  }

  /** Completes the sort values of a row, since a cursor may not have had room for all of them. */
  async #whole(row: PlacedRow): Promise<PlacedRow> {
    const { sorts } = this.#query
    if (row.values.length >= sorts.length) return row
    const columns = sorts.flatMap(({ source }) => columnsOf(source))
    const found = await scanRowsById(this.#scope.db, this.#rows, [row.id], ANY_ROW, columns)
    const [values = []] = await this.#valuesOf(found, sorts)
    return { ...row, values: sorts.map((_sort, index) => (index < row.values.length ? row.values : values)[index] ?? null) }
  }

  /** The rows that pass. Loads those that the index could not decide. */
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

  async *#met(plan: Plan, after: PlacedRow | undefined, limit: number): AsyncGenerator<{ row: PlacedRow; value: SortValue }> {
    const { criterion, sorts } = this.#query
    // An ordered scan gets the value of the first sort from the index key.
    const probed = plan.order === 'none' ? sorts : sorts.slice(1)
    const rowsAtFirst = hasUnknown(criterion.test)
      ? this.#limits.documents
      : limit / (1 + (sizeOf(criterion.test) + probed.length) / 10)
    const search: Scan = {
      scope: this.#scope,
      rows: this.#rows,
      test: criterion.test,
      columns: probed.flatMap(({ source }) => columnsOf(source)),
      batches: new AdaptiveBatches(this.#scope, this.#limits, rowsAtFirst),
    }
    for (const segment of plan.segments) {
      const start = plan.order === 'none' ? undefined : startOf(segment, sorts[0], after, plan.order === 'exact')
      if (start === 'passed') continue
      for await (const looked of scanSegment(search, segment, start)) {
        const passed = await this.#decide(looked)
        const values = await this.#valuesOf(passed, probed)
        for (const [index, row] of passed.entries()) {
          const value = segment.value === 'key' ? valueOfKey(row.key) : segment.value
          const others = values[index] ?? []
          const sorted = plan.order === 'none' ? others : [value, ...others].slice(0, sorts.length)
          yield { row: { id: row.id, created: row.created, values: sorted }, value }
        }
      }
    }
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

  /** Looks up the names that rows are sorted by, each once. */
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
    for (const ids of chunks([...people], this.#limits.names)) {
      const mentions = ids.map((id) => ({ type: 'user', user: { id } }))
      const { users } = await gatherFacts(this.#scope, mentions)
      const others = ids.filter((id) => !users.has(id))
      const groups = await findGroupNames(this.#scope.db, this.#scope.actor.workspaceId, others)
      for (const id of ids) {
        const user = users.get(id)
        this.#names.set(id, collationKey((user && 'name' in user ? user.name : groups.get(id)) ?? ''))
      }
      await yieldToEventLoop()
    }
    for (const ids of chunks([...pages], this.#limits.names)) {
      const mentions = ids.map((id) => ({ type: 'page', page: { id } }))
      const { titles } = await gatherFacts(this.#scope, mentions)
      for (const id of ids) this.#names.set(id, collationKey(titles.get(id) ?? ''))
      await yieldToEventLoop()
    }
  }
}

export function rowSetOf({ actor }: Scope, { id }: DataSource, inTrash: boolean): RowSet {
  return { workspaceId: actor.workspaceId, dataSourceId: id, inTrash }
}

function isSame(a: SortValue, b: SortValue): boolean {
  return compareSorted(a, b, 'ascending') === 0
}

function valueOfKey(key: readonly (number | string)[]): SortValue {
  return key.length === 1 ? (key[0] ?? null) : key
}

/** Where to resume a segment after a row: `passed` if all its rows come before, undefined to start at its beginning. */
function startOf(
  segment: ScanSegment,
  sort: ParsedSort | undefined,
  after: PlacedRow | undefined,
  isExact: boolean,
): ScanStart | 'passed' | undefined {
  if (!after) return undefined
  const value = sort ? (after.values[0] ?? null) : after.created
  const tie = isExact ? { created: after.created, id: after.id } : undefined
  if (segment.value === 'key') {
    if (value === null) return 'passed'
    return { key: typeof value === 'object' ? value : [value], after: tie }
  }
  const order = compareSorted(segment.value, value, sort?.direction ?? 'ascending')
  if (order !== 0) return order < 0 ? 'passed' : undefined
  if (segment.key) return tie && { key: segment.key, after: tie }
  return tie && { key: [tie.created], after: tie }
}
