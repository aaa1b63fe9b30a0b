import type { RollupValue } from '../../../../generated/types.ts'
import { textLength } from '../../../kernel/text_length.ts'
import { inSlices, yieldToEventLoop } from '../../../kernel/yield_to_event_loop.ts'
import type { DataSource } from '../data_sources/load.ts'
import { reachFrom, type ReachableSources } from '../data_sources/formula_schemas.ts'
import { formulaResult, Budget, evaluate, NotLoaded, unsupportedResult } from '../formulas/index.ts'
import { unsupportedRollup } from '../rollups/roll_up.ts'
import type { FormulaProperty, RollupProperty, StoredProperty } from '../properties/stored.ts'
import type { Scope } from '../../shared/index.ts'
import { RowLoader, type ComputedRow } from './computed_row.ts'
import type { Row } from './row.ts'

/** Values of formulas and rollups as presented in responses, by page and column. */
export type Computed = ReadonlyMap<string, ReadonlyMap<string, unknown>>

/** The maximum number of fetches for following chains of relations. Each fetches for all rows at once. */
const ROUNDS_MAX = 60
/** The maximum number of array elements in a page object. */
const ARRAY_MAX = 100
/**
 * The maximum length of all values together, in UTF-16 units. The writable properties of a hundred rows contain less; a formula can produce
 * any amount in each row.
 */
const TEXT_MAX = 32 * 1024 * 1024
/** The same limit for filters and sorts. They examine whole values of a hundred rows at a time, but keep few of them. */
const WHOLE_TEXT_MAX = 4 * TEXT_MAX
/** The number of values computed before other requests can run; fewer if they take long. */
const VALUES_AT_ONCE = 20
const MILLISECONDS_AT_ONCE = 8

/**
 * Computes formulas and rollups of rows of one data source from the stored data. A value that exceeds the limits is unsupported.
 * @param isWhole whether arrays are complete; otherwise only their beginning is returned
 */
export async function computeValues(
  scope: Scope,
  dataSource: DataSource,
  rows: readonly Row[],
  columns: readonly StoredProperty[],
  isWhole = false,
): Promise<Computed> {
  const wanted = columns.filter((column) => column.type === 'formula' || column.type === 'rollup')
  const values = new Map(rows.map(({ block }) => [block.id, new Map<string, unknown>()]))
  if (wanted.length === 0) return values
  const reach = await reachFrom(scope, dataSource)
  const loader = new RowLoader(scope, reach)
  await loader.take(rows)
  const room = new Room(isWhole ? WHOLE_TEXT_MAX : TEXT_MAX)
  let open = rows.flatMap(({ block }) => wanted.map((column) => ({ id: block.id, column })))
  for (let round = 0; open.length > 0; round += 1) {
    const missing: typeof open = []
    let since = performance.now()
    for (const [index, { id, column }] of open.entries()) {
      if (index % VALUES_AT_ONCE === VALUES_AT_ONCE - 1 || performance.now() - since > MILLISECONDS_AT_ONCE) {
        await yieldToEventLoop()
        since = performance.now()
      }
      const value = round < ROUNDS_MAX ? await computeOne(reach, loader, id, column, scope.now) : unsupportedOf(column)
      if (value === undefined) missing.push({ id, column })
      else values.get(id)?.set(column.id, room.take(isWhole ? value : cutArray(value)) ?? unsupportedOf(column))
    }
    open = missing
    if (open.length > 0) await loader.fetch()
  }
  return values
}

/** The remaining length for computed values. */
class Room {
  #remaining: number

  constructor(max: number) {
    this.#remaining = max
  }

  /** @returns undefined for a value that is too long */
  take(value: unknown): unknown {
    const length = textLength(value, this.#remaining)
    if (length > this.#remaining) return undefined
    this.#remaining -= length
    return value
  }
}

/** @returns undefined if data must be fetched first */
async function computeOne(
  reach: ReachableSources,
  loader: RowLoader,
  id: string,
  column: FormulaProperty | RollupProperty,
  now: number,
): Promise<unknown> {
  const row = loader.rowOf(id)
  if (!row) return unsupportedOf(column)
  try {
    if (column.type === 'formula') return computeFormula(reach, row, column, now)
    return await inSlices(row.rollUp(column, undefined, now))
  } catch (error) {
    if (error instanceof NotLoaded) return undefined
    throw error
  }
}

function computeFormula({ compiler }: ReachableSources, row: ComputedRow, column: FormulaProperty, now: number): unknown {
  const { formula } = compiler.property(row.source.id, column.id)
  return formula ? formulaResult(formula, evaluate(formula, row, compiler, { now, budget: new Budget() })) : unsupportedResult()
}

function unsupportedOf(column: FormulaProperty | RollupProperty): unknown {
  return column.type === 'formula' ? unsupportedResult() : unsupportedRollup(column.function)
}

function cutArray(value: unknown): unknown {
  const rollup = value as Partial<RollupValue>
  return rollup.type === 'array' && rollup.array && rollup.array.length > ARRAY_MAX
    ? { ...rollup, array: rollup.array.slice(0, ARRAY_MAX) }
    : value
}
