import { isOfKind, type FormulaValue, type ValuesByKind } from '../values.ts'

// The kinds of arguments have been checked: by the compiler, or by the caller of `apply` if they are not known statically.

type Getter<Value> = (values: readonly FormulaValue[], index: number) => Value

/** Returns a function that gets the argument at a position. */
function getter<Kind extends keyof ValuesByKind>(kind: Kind): Getter<ValuesByKind[Kind]> {
  return (values, index) => {
    const value = values[index] ?? null
    if (isOfKind(value, kind)) return value
    throw new TypeError(`an argument is not a ${kind}`)
  }
}

export const textAt = getter('text')
export const numberAt = getter('number')
export const listAt = getter('list')
export const dateAt = getter('date')
export const personAt = getter('person')
export const pageAt = getter('page')

/** The number at this position of the arguments, if there is one. */
export const optionalNumberAt: Getter<number | undefined> = (values, index) =>
  index < values.length ? numberAt(values, index) : undefined
