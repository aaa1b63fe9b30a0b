import type { PropertyValue, RollupArrayEntry, RollupValue } from '../../../../generated/types.ts'
import { facetsOf } from '../property_types/index.ts'
import { payloadOf } from '../property_types/plain_values.ts'
import { dateOfValue } from './dates.ts'
import { Unsupported } from './failures.ts'
import type { FormulaValue } from './values.ts'

/**
 * Converts a property value of the contract to the value that formulas see. Pass complete values: formulas use all references, including
 * those that a response would omit.
 * @throws Unsupported for a type that formulas cannot read, values that come from other rows, and unsupported values
 */
export function formulaValueOf(value: PropertyValue | RollupArrayEntry): FormulaValue {
  const { value: read } = facetsOf(value.type).formula
  if (read === 'none') throw new Unsupported(`a property of type ${value.type} has no value of its own in formulas`)
  return read(payloadOf(value))
}

/** Converts a complete rollup to the value that formulas see. @throws Unsupported like `formulaValueOf` */
export function formulaValueOfRollup(rollup: RollupValue): FormulaValue {
  if (rollup.type === 'unsupported') throw new Unsupported('a rollup that is read is unsupported')
  if (rollup.type === 'number') return rollup.number
  if (rollup.type === 'date') return rollup.date && dateOfValue(rollup.date)
  return rollup.array.map(formulaValueOf)
}
