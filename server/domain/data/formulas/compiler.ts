import { Checker, type ReferencePlace, type ResolvedProperty } from './checker.ts'
import { errorOf, FormulaFault, Unsupported, type FormulaError } from './failures.ts'
import type { CompiledFormula, PropertyReader } from './frame.ts'
import { findProperty } from '../properties/stored.ts'
import { parse } from './parser.ts'
import { typeOfProperty } from './property_types.ts'
import { storedReference, type PropertyReference } from './references.ts'
import { propertyById, type SchemaProperty, type FormulaSchema, type FormulaSchemas } from './schema.ts'
import type { ExpressionForm } from './tokens.ts'
import { ANY, EMPTY, resultTypeOf } from './types.ts'

type Compilation =
  | { readonly formula: CompiledFormula; readonly error?: undefined }
  /** `isCycle`: the formula refers, directly or indirectly, to itself or to a formula in a cycle. */
  | { readonly formula?: undefined; readonly error: FormulaError; readonly isCycle: boolean }

/** The maximum number of formulas compiled recursively. Deeper ones are deferred and start with an empty stack. */
const DEPTH_MAX = 4

/** Thrown so that a formula is compiled before the one that needs it. */
class Deferred extends Error {
  readonly schema: FormulaSchema
  readonly property: SchemaProperty

  constructor(schema: FormulaSchema, property: SchemaProperty) {
    super('another formula must be compiled first')
    this.schema = schema
    this.property = property
  }
}

class CycleFault extends FormulaFault {}

const EMPTY_FORMULA: CompiledFormula = {
  type: EMPTY,
  resultType: resultTypeOf(EMPTY),
  references: [],
  stored: '',
  nesting: 1,
  code: () => null,
}

/**
 * Compiles the formulas of schemas, each once. Create a new compiler when a schema changes: the type of a formula depends on the
 * properties to which it refers, which may be formulas themselves.
 */
export class FormulaCompiler {
  readonly #schemas: FormulaSchemas
  readonly #done = new Map<SchemaProperty, Compilation>()
  readonly #inProgress = new Set<SchemaProperty>()
  #depth = 0

  /** @param schemas returns the same object each time for the same id */
  constructor(schemas: FormulaSchemas) {
    this.#schemas = schemas
  }

  /**
   * Compiles a text for a data source. To check a formula before it is stored, put it into its schema in the form `written` and call
   * `property` instead: only `property` detects cycles.
   */
  compile(text: string, dataSourceId: string, form: ExpressionForm = 'written'): Compilation {
    return this.#settle(undefined, () => this.#compileText(text, dataSourceId, form))
  }

  /** Compiles the formula of a formula property. Compilation can fail, since a referenced property may no longer exist. */
  property(dataSourceId: string, propertyId: string): Compilation {
    const schema = this.#schemas(dataSourceId)
    const property = propertyById(schema, propertyId)
    if (schema === undefined || property?.type !== 'formula') {
      return { error: { message: 'the property is not a formula', position: 0 }, isCycle: false }
    }
    return this.#settle(property, () => this.#compileProperty(schema, property))
  }

  /** Returns a reader for a property of any type. Reading a missing or unreadable property throws Unsupported. */
  readonly readerOf = (dataSourceId: string, propertyId: string): PropertyReader => {
    const schema = this.#schemas(dataSourceId)
    const property = propertyById(schema, propertyId)
    if (schema === undefined || property === undefined) return unreadable
    if (property.type === 'formula') {
      const { formula } = this.property(dataSourceId, propertyId)
      return formula === undefined ? unreadable : (frame, page) => frame.evaluate(formula, page)
    }
    if (property.type === 'relation') return (frame, page) => frame.related(property.id, page)
    return (frame, page) => frame.read(property.id, page)
  }

  /** Compiles deep chains of formulas iteratively, so that they cannot exhaust the stack. */
  #settle(first: SchemaProperty | undefined, compile: () => Compilation): Compilation {
    const waiting: { property: SchemaProperty | undefined; compile: () => Compilation }[] = [{ property: first, compile }]
    for (;;) {
      const top = waiting.at(-1)
      if (top === undefined) throw new RangeError('nothing to compile')
      if (top.property !== undefined) this.#inProgress.delete(top.property)
      try {
        const compilation = top.compile()
        waiting.pop()
        if (waiting.length === 0) return compilation
      } catch (fault) {
        if (!(fault instanceof Deferred)) throw fault
        if (top.property !== undefined) this.#inProgress.add(top.property)
        const { schema, property } = fault
        waiting.push({ property, compile: () => this.#compileProperty(schema, property) })
      }
    }
  }

  #compileProperty(schema: FormulaSchema, property: SchemaProperty): Compilation {
    const known = this.#done.get(property)
    if (known !== undefined) return known
    if (this.#inProgress.has(property)) throw new CycleFault('the formula depends on itself', 0)
    if (this.#depth >= DEPTH_MAX) throw new Deferred(schema, property)
    this.#inProgress.add(property)
    this.#depth++
    try {
      const { text, form } = property.expression ?? { text: '', form: 'stored' }
      const compilation = this.#compileText(text, schema.dataSourceId, form)
      this.#done.set(property, compilation)
      return compilation
    } finally {
      this.#depth--
      this.#inProgress.delete(property)
    }
  }

  #compileText(text: string, dataSourceId: string, form: ExpressionForm): Compilation {
    if (text === '') return { formula: EMPTY_FORMULA }
    const checker = new Checker(dataSourceId, (source, target, offset) => this.#resolve(source, target, offset))
    try {
      const { type, code, nesting } = checker.check(parse(text, form))
      const { places } = checker
      return {
        formula: {
          type,
          resultType: resultTypeOf(type),
          references: distinct(places.map(({ reference }) => reference)),
          stored: form === 'stored' ? text : withReferences(text, places),
          nesting,
          code,
        },
      }
    } catch (fault) {
      if (!(fault instanceof FormulaFault)) throw fault
      return { error: errorOf(fault, text), isCycle: fault instanceof CycleFault }
    }
  }

  #resolve(dataSourceId: string, target: string | PropertyReference, offset: number): ResolvedProperty {
    const schema = this.#schemas(typeof target === 'string' ? dataSourceId : target.dataSourceId)
    if (schema === undefined) throw new FormulaFault('the data source of this page cannot be read', offset)
    const property =
      typeof target === 'string' ? findProperty(schema.properties, target) : propertyById(schema, target.propertyId)
    const name = typeof target === 'string' ? target : target.lastName
    if (property === undefined) throw new FormulaFault(`the property ${JSON.stringify(name)} is unknown`, offset)
    const type = typeOfProperty(schema, property, this.#schemas, (source, formula) =>
      this.#typeOfFormula(source, formula, offset),
    )
    if (type === undefined) throw new FormulaFault(`a property of type ${property.type} cannot be read by formulas`, offset)
    const reference = { dataSourceId: schema.dataSourceId, propertyId: property.id, lastName: property.name }
    return { reference, type, read: this.readerOf(schema.dataSourceId, property.id) }
  }

  /** A formula that no longer compiles has the type `any` and reads as unsupported. */
  #typeOfFormula(schema: FormulaSchema, property: SchemaProperty, offset: number): CompiledFormula['type'] {
    try {
      const compilation = this.#compileProperty(schema, property)
      if (compilation.formula) return compilation.formula.type
      if (!compilation.isCycle) return ANY
    } catch (fault) {
      if (!(fault instanceof CycleFault)) throw fault
    }
    throw new CycleFault(`the formula depends on itself through ${JSON.stringify(property.name)}`, offset)
  }
}

const unreadable: PropertyReader = () => {
  throw new Unsupported('a property that the formula uses was deleted or cannot be read')
}

function distinct(references: readonly PropertyReference[]): PropertyReference[] {
  return [...new Map(references.map((reference) => [`${reference.dataSourceId}/${reference.propertyId}`, reference])).values()]
}

function withReferences(text: string, places: readonly ReferencePlace[]): string {
  const ordered = places.toSorted((a, b) => a.start - b.start)
  const parts = ordered.map(
    ({ start, reference }, index) => text.slice(ordered[index - 1]?.end ?? 0, start) + storedReference(reference),
  )
  return parts.join('') + text.slice(ordered.at(-1)?.end ?? 0)
}
