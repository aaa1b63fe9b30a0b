import type { PropertyValue, RollupArrayEntry, RollupValue } from '../../../../generated/types.ts'
import { atOnce, chunks, yieldToEventLoop, type SlicedWork } from '../../../kernel/yield_to_event_loop.ts'
import { visibleAmong } from '../../../store/access.ts'
import { findBlocks } from '../../../store/blocks.ts'
import { findPageRecords } from '../../../store/pages.ts'
import type { ReachableSources } from '../data_sources/formula_schemas.ts'
import type { DataSource } from '../data_sources/load.ts'
import {
  formulaResult,
  Budget,
  evaluate,
  formulaValueOf,
  formulaValueOfRollup,
  ifSupported,
  NotLoaded,
  STEPS_MAX,
  Unsupported,
  unsupportedResult,
  type Circumstances,
  type FormulaRow,
  type FormulaValue,
  type Reading,
} from '../formulas/index.ts'
import { findById, type RollupProperty, type StoredProperty } from '../properties/stored.ts'
import { storedLinks } from '../properties/stored_values.ts'
import type { ValueFacts } from '../properties/value_facts.ts'
import { plainText, type StoredRichText } from '../../content/index.ts'
import { fitsRollup, rollUpInSteps, unsupportedRollup } from '../rollups/roll_up.ts'
import type { Scope } from '../../shared/index.ts'
import { allLinks } from './links.ts'
import { presentPayload, valueFacts } from './payload.ts'
import type { Row } from './row.ts'

/** The maximum number of rows loaded in one computation. Values that need more are unsupported. */
const ROWS_MAX = 50_000
/** The additional budget of a rollup for each row that it aggregates: enough for an ordinary formula. */
const STEPS_PER_ROW = 500
/** The number of rows fetched before other requests can run. */
const FETCHED_AT_ONCE = 200

/** Fetches the rows that formulas and rollups need, in batches. */
export class RowLoader {
  readonly reach: ReachableSources
  readonly #scope: Scope
  readonly #rows = new Map<string, ComputedRow | null>()
  readonly #links = new Map<string, readonly string[]>()
  readonly #wantedRows = new Set<string>()
  readonly #wantedLinks = new Map<string, readonly [pageId: string, propertyId: string]>()

  constructor(scope: Scope, reach: ReachableSources) {
    this.#scope = scope
    this.reach = reach
  }

  rowOf(id: string): ComputedRow | undefined {
    return this.#rows.get(id) ?? undefined
  }

  get now(): number {
    return this.#scope.now
  }

  /** Adds rows that are already loaded to those available to formulas. */
  async take(rows: readonly Row[]): Promise<void> {
    for (const source of this.reach.sources.values()) {
      const own = rows.filter(({ block }) => block.parentId === source.id)
      if (own.length === 0) continue
      const facts = await valueFacts(this.#scope, own, source.properties, Infinity)
      for (const row of own) this.#rows.set(row.block.id, new ComputedRow(this, source, row, facts))
    }
  }

  /** The rows that a relation links to, without templates and rows that are in the trash or not visible. @throws NotLoaded, Unsupported */
  related(row: Row, propertyId: string): ComputedRow[] {
    const links = storedLinks(row.values[propertyId])
    const key = `${row.block.id}/${propertyId}`
    const ids = links.more ? this.#links.get(key) : links.ids
    if (!ids) {
      this.#wantedLinks.set(key, [row.block.id, propertyId])
      throw new NotLoaded()
    }
    const missing = ids.filter((id) => !this.#rows.has(id))
    if (missing.length === 0) return ids.flatMap((id) => this.#rows.get(id) ?? [])
    if (this.#rows.size + missing.length > ROWS_MAX) throw new Unsupported('the formula reads too many rows')
    for (const id of missing) this.#wantedRows.add(id)
    throw new NotLoaded()
  }

  /** Fetches everything that has been noted. */
  async fetch(): Promise<void> {
    for (const [key, [pageId, propertyId]] of this.#wantedLinks) {
      this.#links.set(key, await allLinks(this.#scope, pageId, propertyId))
      await yieldToEventLoop()
    }
    this.#wantedLinks.clear()
    const wanted = [...this.#wantedRows]
    this.#wantedRows.clear()
    for (const ids of chunks(wanted, FETCHED_AT_ONCE)) {
      await this.#fetchRows(ids)
      await yieldToEventLoop()
    }
  }

  async #fetchRows(ids: readonly string[]): Promise<void> {
    const { db, actor } = this.#scope
    const visible = await visibleAmong(db, actor, ids)
    const blocks = await findBlocks(db, actor.workspaceId, [...visible])
    const records = await findPageRecords(db, actor.workspaceId, [...visible])
    for (const id of ids) this.#rows.set(id, null)
    const rows = [...blocks].flatMap(([id, block]) => {
      const record = records.get(id)
      const isRow = block.parentType === 'data_source_id' && !block.inTrash && !this.reach.sources.get(block.parentId)?.inTrash
      return record && isRow ? [{ block, ...record }] : []
    })
    await this.take(rows)
  }
}

/** A row as formulas and rollups see it. */
export class ComputedRow implements FormulaRow {
  readonly source: DataSource
  readonly row: Row
  readonly #loader: RowLoader
  readonly #facts: ValueFacts

  constructor(loader: RowLoader, source: DataSource, row: Row, facts: ValueFacts) {
    this.#loader = loader
    this.source = source
    this.row = row
    this.#facts = facts
  }

  get id(): string {
    return this.row.block.id
  }

  get title(): string {
    return plainText(this.row.block.content['title'] as StoredRichText, this.#facts.facts)
  }

  read(propertyId: string, reading: Reading): FormulaValue {
    const column = findById(this.source.properties, propertyId)
    if (!column) throw new Unsupported('a property that the formula uses was deleted')
    if (column.type === 'rollup') return formulaValueOfRollup(atOnce(this.rollUp(column, reading, this.#loader.now)))
    return formulaValueOf(this.#value(column) as unknown as PropertyValue)
  }

  related(propertyId: string): ComputedRow[] {
    return this.#loader.related(this.row, propertyId)
  }

  /**
   * The value of a rollup, in steps.
   * @param reading the evaluation of the formula that reads the rollup, if any
   * @throws NotLoaded
   */
  *rollUp(column: RollupProperty, reading: Reading | undefined, now: number): SlicedWork<RollupValue> {
    const { sources, compiler } = this.#loader.reach
    const relation = findById(this.source.properties, column.relationId)
    const target = relation?.type === 'relation' ? sources.get(relation.dataSourceId) : undefined
    const rolled = target && findById(target.properties, column.targetId)
    if (!relation || !target || !rolled) return unsupportedRollup(column.function)
    const result = rolled.type === 'formula' ? compiler.property(target.id, rolled.id).formula?.resultType : undefined
    if (!fitsRollup(column.function, rolled.type, result)) return unsupportedRollup(column.function)
    const rows = ifSupported(() => this.related(relation.id), undefined)
    if (!rows) return unsupportedRollup(column.function)
    reading?.budget.reserveList(rows.length)
    const budget = new Budget(STEPS_MAX + STEPS_PER_ROW * rows.length)
    const complete = rolled.type === 'status' ? rolled.groups.at(-1)?.option_ids : undefined
    const entries: RollupArrayEntry[] = []
    for (const row of rows) {
      entries.push(row.#entry(rolled, reading, { now, budget }))
      yield
    }
    return yield* rollUpInSteps(column.function, entries, (id) => complete?.includes(id) ?? false)
  }

  /** The entry of a row for a rollup. @param alone the context for formulas, if no formula reads the rollup */
  #entry(column: StoredProperty, reading: Reading | undefined, alone: Circumstances): RollupArrayEntry {
    if (column.type !== 'formula') return this.#value(column) as unknown as RollupArrayEntry
    const { compiler } = this.#loader.reach
    const { formula } = compiler.property(this.source.id, column.id)
    if (!formula) return { type: 'formula', formula: unsupportedResult() }
    const evaluation = reading
      ? { value: reading.readRelated(this, this.source.id, column.id) }
      : evaluate(formula, this, compiler, alone)
    return { type: 'formula', formula: formulaResult(formula, evaluation) }
  }

  #value(column: StoredProperty): object {
    return { type: column.type, [column.type]: presentPayload(this.row, column, this.#facts) }
  }
}
