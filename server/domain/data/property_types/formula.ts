import type { FormulaCondition, FormulaValue as PresentedFormula } from '../../../../generated/types.ts'
import { invalid } from '../../shared/index.ts'
import { dateOfValue } from '../formulas/dates.ts'
import { Unsupported } from '../formulas/failures.ts'
import { referencesOfStored, renderStored } from '../formulas/stored_form.ts'
import type { ResultType } from '../formulas/types.ts'
import type { FormulaProperty } from '../properties/stored.ts'
import { holds, isDate, type PlainValue } from '../queries/checks.ts'
import { subfilterParser, type ElementCondition } from '../queries/conditions.ts'
import { computedCriterion } from '../queries/criteria.ts'
import type { Criterion } from '../queries/criterion.ts'
import { BY_PLAIN_VALUE, WITHOUT_SETTINGS, SET_BY_SERVICE, COLUMN_ONLY, NOT_CONVERTIBLE, OWN_KEY } from './common.ts'
import { sortValueOf } from './plain_values.ts'
import type { FilterContext, PropertyFacets } from './property_facets.ts'

/** Condition keys by the result type of a formula: for conditions on the formula itself, and on rollup elements of that formula. */
export const CONDITION_KEYS: Readonly<
  Record<ResultType, { readonly own: keyof FormulaCondition; readonly ofElements: ElementCondition }>
> = {
  string: { own: 'string', ofElements: 'rich_text' },
  boolean: { own: 'checkbox', ofElements: 'checkbox' },
  number: { own: 'number', ofElements: 'number' },
  date: { own: 'date', ofElements: 'date' },
}

export const formula: PropertyFacets<'formula'> = {
  config: {
    ...WITHOUT_SETTINGS,
    settings: 'formula',
    present: ({ expression }, { formulaSchema }) => ({ expression: renderStored(expression, formulaSchema) }),
    sources: ({ expression }) => referencesOfStored(expression).map(({ dataSourceId }) => dataSourceId),
  },
  value: { ...SET_BY_SERVICE, present: 'computed' },
  conversion: NOT_CONVERTIBLE,
  filter: { ...OWN_KEY, parse },
  sort: (property) => ({
    kind: 'value',
    property,
    valueOf: ({ computed }) => sortValueOf(plainOf(computed.get(property.id) as PresentedFormula)),
  }),
  formula: {
    type: 'formula',
    value(result) {
      const value = plainOf(result)
      if (result.type === 'unsupported') throw new Unsupported('a formula that is read is unsupported')
      return isDate(value) ? dateOfValue(value) : value
    },
    describe: ({ expression }, written) => ({
      expression: { form: written === undefined ? 'stored' : 'written', text: written ?? expression },
    }),
  },
  rollup: { ...BY_PLAIN_VALUE, source: 'by result type', toPlain: plainOf, condition: 'by result type' },
  view: { ...COLUMN_ONLY, group: 'formula' },
  items: 'whole',
}

/** The result of a formula as a plain value; null if it is unsupported. */
function plainOf(result: PresentedFormula): Exclude<PlainValue, readonly string[]> {
  if (result.type === 'string') return result.string
  if (result.type === 'number') return result.number
  if (result.type === 'boolean') return result.boolean
  return result.type === 'date' ? result.date : null
}

/** @throws ServiceError `validation_error` if the condition does not fit the result type of the formula */
function parse(property: FormulaProperty, condition: FormulaCondition, place: string, context: FilterContext): Criterion {
  const resultType = context.resultTypes.get(property.id)
  const [key = ''] = Object.keys(condition)
  const named = `the formula ${JSON.stringify(property.name)}`
  if (resultType === undefined) throw invalid(place, `should be not present: the type of ${named} cannot be determined`)
  const { own, ofElements } = CONDITION_KEYS[resultType]
  if (own !== key) {
    throw invalid(
      `${place}.${key}`,
      `should be a condition named ${own} instead of ${key}: ${named} has values of type ${resultType}`,
    )
  }
  const check = subfilterParser(ofElements)(condition[own], `${place}.${key}`, context.viewer, property)
  return computedCriterion(property, (result) => holds(check, plainOf(result as PresentedFormula)))
}
