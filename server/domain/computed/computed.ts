import type { FormulaValue as FormulaAnswer, RollupArrayEntry, RollupFunction, RollupValue } from '../../../generated/types.ts'
import {
  answerOf,
  Budget,
  evaluate,
  FormulaCompiler,
  formulaValueOf,
  formulaValueOfRollup,
  isList,
  keyOf,
  propertyById,
  STEPS_MAX,
  Unsupported,
  unsupportedAnswer,
  type FormulaProperty,
  type FormulaRow,
  type FormulaSchema,
  type FormulaSchemas,
  type FormulaValue,
  type Reading,
} from '../formulas/index.ts'
import { fitsRollup, isRollupFunction, rollUp, unsupportedRollup } from '../rollups/index.ts'

/** What a rollup may spend on each related row, beside the steps of one formula: ample for a formula of everyday size. */
const STEPS_PER_ROW = 500

/** A row whose stored values are at hand, or noted to be fetched: then its methods throw NotLoaded. */
export interface SourceRow {
  /** Id of the page, with dashes. */
  readonly id: string
  readonly dataSourceId: string
  /** Plain text of its title. */
  readonly title: string
  /** The whole value of a property that is neither a formula nor a rollup, in the form of answers. */
  entry(propertyId: string): RollupArrayEntry
  /** The rows of a relation, in its order, without those in the trash and those that the caller may not see. */
  related(propertyId: string): readonly SourceRow[]
}

/** What a rollup gathers. */
interface Gathering {
  readonly function: RollupFunction
  readonly relationPropertyId: string
  readonly targetSchema: FormulaSchema
  readonly target: FormulaProperty
}

/** The values of formulas and rollups of some rows, as the data stands. Make one for each request. */
export class ComputedValues {
  readonly compiler: FormulaCompiler
  readonly #schemas: FormulaSchemas
  readonly #now: number
  readonly #budget: Budget | undefined
  readonly #rows = new Map<string, FormulaRow>()

  /**
   * @param schemas answers with the same objects each time that it is asked
   * @param now milliseconds since 1970
   * @param budget of all values together; left out, each has one of its own
   */
  constructor(schemas: FormulaSchemas, now: number, budget?: Budget) {
    this.compiler = new FormulaCompiler(schemas)
    this.#schemas = schemas
    this.#now = now
    this.#budget = budget
  }

  /** The value of a formula. @throws NotLoaded */
  formula(row: SourceRow, propertyId: string): FormulaAnswer {
    return this.#formula(row, propertyId, this.#budget ?? new Budget())
  }

  #formula(row: SourceRow, propertyId: string, budget: Budget): FormulaAnswer {
    const { formula } = this.compiler.property(row.dataSourceId, propertyId)
    if (formula === undefined) return unsupportedAnswer()
    return answerOf(formula, evaluate(formula, this.#formulaRow(row), this.compiler, { now: this.#now, budget }))
  }

  /**
   * The value of a rollup, an array with all its elements. A formula that it gathers counts with what it gives by itself.
   * @throws NotLoaded
   */
  rollup(row: SourceRow, propertyId: string): RollupValue {
    const property = propertyById(this.#schemas(row.dataSourceId), propertyId)
    const gathering = this.#gathering(row.dataSourceId, property)
    if (gathering === undefined) return unsupportedRollup(requireFunction(property))
    const { target, relationPropertyId } = gathering
    const related = row.related(relationPropertyId)
    const budget = this.#budget ?? new Budget(STEPS_MAX + related.length * STEPS_PER_ROW)
    return this.#rollUp(
      gathering,
      related.map((page) =>
        target.type === 'formula' ? { type: 'formula', formula: this.#formula(page, target.id, budget) } : page.entry(target.id),
      ),
    )
  }

  #rollUp({ function: rollupFunction, target }: Gathering, entries: readonly RollupArrayEntry[]): RollupValue {
    const complete = new Set(target.completeOptionIds)
    return rollUp(rollupFunction, entries, (optionId) => complete.has(optionId))
  }

  /** Undefined when the rollup does not fit, or something that it needs is gone. */
  #gathering(dataSourceId: string, property: FormulaProperty | undefined): Gathering | undefined {
    const rollup = property?.rollup
    const relation = rollup && propertyById(this.#schemas(dataSourceId), rollup.relationPropertyId)
    const targetSchema = relation?.relatedDataSourceId === undefined ? undefined : this.#schemas(relation.relatedDataSourceId)
    const target = rollup && propertyById(targetSchema, rollup.propertyId)
    if (rollup === undefined || targetSchema === undefined || target === undefined || !isRollupFunction(rollup.function))
      return undefined
    const resultType = this.compiler.property(targetSchema.dataSourceId, target.id).formula?.resultType
    if (!fitsRollup(rollup.function, target.type, resultType)) return undefined
    return { function: rollup.function, relationPropertyId: rollup.relationPropertyId, targetSchema, target }
  }

  /** One object for each page, so that what was computed for it is found again. */
  #formulaRow(row: SourceRow): FormulaRow {
    const known = this.#rows.get(row.id)
    if (known !== undefined) return known
    const made: FormulaRow = {
      id: row.id,
      title: row.title,
      related: (propertyId) => row.related(propertyId).map((page) => this.#formulaRow(page)),
      read: (propertyId, reading) => {
        const property = propertyById(this.#schemas(row.dataSourceId), propertyId)
        return property?.type === 'rollup' ? this.#rollupInFormula(row, property, reading) : formulaValueOf(row.entry(propertyId))
      },
    }
    this.#rows.set(row.id, made)
    return made
  }

  #rollupInFormula(row: SourceRow, property: FormulaProperty, reading: Reading): FormulaValue {
    const gathering = this.#gathering(row.dataSourceId, property)
    if (gathering === undefined) throw new Unsupported('a rollup of the formula no longer fits')
    const { function: rollupFunction, target, targetSchema } = gathering
    const pages = row.related(gathering.relationPropertyId)
    reading.budget.reserveList(pages.length)
    const read = (page: SourceRow) => reading.readRelated(this.#formulaRow(page), targetSchema.dataSourceId, target.id)
    if (rollupFunction === 'show_original') return pages.map(read)
    if (rollupFunction === 'show_unique') return distinctElements(pages.map(read), reading.budget)
    const { formula } = target.type === 'formula' ? this.compiler.property(targetSchema.dataSourceId, target.id) : {}
    return formulaValueOfRollup(
      this.#rollUp(
        gathering,
        pages.map((page) =>
          formula === undefined ? page.entry(target.id) : { type: 'formula', formula: answerOf(formula, { value: read(page) }) },
        ),
      ),
    )
  }
}

function requireFunction(property: FormulaProperty | undefined): RollupFunction {
  const name = property?.rollup?.function
  if (name === undefined || !isRollupFunction(name)) throw new TypeError('the property is no rollup')
  return name
}

function distinctElements(values: readonly FormulaValue[], budget: Budget): FormulaValue[] {
  const byKey = new Map<string, FormulaValue>()
  for (const value of values.flatMap((element) => (isList(element) ? element : [element]))) {
    if (value === null || value === '') continue
    const key = keyOf(value, budget)
    if (!byKey.has(key)) byKey.set(key, value)
  }
  return [...byKey.values()]
}
