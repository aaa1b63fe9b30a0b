import type { PropertyValue, RollupArrayEntry, RollupValue } from '../../../generated/types.ts'
import { facetsOf } from '../property_types/index.ts'
import { payloadOf } from '../property_types/plain_values.ts'
import { dateOfValue } from './dates.ts'
import { Unsupported } from './failures.ts'
import type { FormulaValue } from './values.ts'

/**
 * The value that formulas see of a property value of the contract. Give whole values: formulas take part in all references, also
 * in those that an answer would cut off.
 * @throws Unsupported for a type that formulas cannot read, what comes from other rows, and an unsupported value
 */
export function formulaValueOf(value: PropertyValue | RollupArrayEntry): FormulaValue {
  const { value: read } = facetsOf(value.type).formula
  if (read === 'none') throw new Unsupported(`a property of type ${value.type} has no value of its own in formulas`)
  return read(payloadOf(value))
}

/** The value that formulas see of a whole rollup. @throws Unsupported as `formulaValueOf` */
export function formulaValueOfRollup(rollup: RollupValue): FormulaValue {
  switch (rollup.type) {
    case 'number':
      return rollup.number
    case 'date':
      return rollup.date === null ? null : dateOfValue(rollup.date)
    case 'array':
      return rollup.array.map(formulaValueOf)
    case 'unsupported':
      throw new Unsupported('a rollup that is read is unsupported')
  }
}
