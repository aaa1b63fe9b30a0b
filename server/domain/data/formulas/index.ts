/**
 * The formula language: pure functions over schemas and rows, without a store.
 *
 * - `new FormulaCompiler(schemas)` compiles the formulas of a request: `.property(dataSourceId, propertyId)` the formula of a
 *   property, `.compile(text, dataSourceId)` any text. An error has a message and a position (`claimOf`).
 *   To check a write, put the new text into the final schema as `{form: 'written', text}` and compile its property: this detects
 *   cycles, and `formula.stored` is the form to store. `renderStored` converts that to the text for responses.
 * - `evaluate(formula, row, compiler, {now})` computes the value for a row, and `formulaResult` converts it to the contract's form.
 * - Rows are loaded lazily (`FormulaRow`): a row may throw `NotLoaded` after noting what to fetch, and the caller evaluates again
 *   once it is loaded.
 */
export { Budget } from './budget.ts'
export type { CompiledFormula } from './frame.ts'
export { FormulaCompiler } from './compiler.ts'
export { formulaResult, evaluate, unsupportedResult, type Circumstances } from './evaluate.ts'
export { claimOf, ifSupported, NotLoaded, Unsupported } from './failures.ts'
export { formulaValueOf, formulaValueOfRollup } from './property_values.ts'
export { STEPS_MAX } from './limits.ts'
export { type SchemaProperty, type FormulaSchema, type FormulaSchemas } from './schema.ts'
export { referencesOfStored, renderStored } from './stored_form.ts'
export type { FormulaType, ResultType } from './types.ts'
export { isList, type FormulaRow, type FormulaValue, type Reading } from './values.ts'
