import type { Frame } from '../frame.ts'
import { BOOLEAN, elementOf, elementTypeOf, listOf, NUMBER, type FormulaType } from '../types.ts'
import { areEqual, compareValues, isList, keyOf, type FormulaValue } from '../values.ts'
import { listAt, numberAt, optionalNumberAt } from './arguments.ts'
import { arg, define, optional, repeated, takingEmpty, type FunctionDefinition } from './definition.ts'

const sameList = ([type]: readonly FormulaType[]) => listOf(elementOf(type))
const joinedList = (types: readonly FormulaType[]) => listOf(elementTypeOf(types.map(elementOf)))
const oneElement = ([type]: readonly FormulaType[]) => elementOf(type)

export const listFunctions: readonly FunctionDefinition[] = [
  define('at', [arg.list, arg.number], oneElement, (values) => listAt(values, 0).at(numberAt(values, 1)) ?? null),
  define('first', [arg.list], oneElement, (values) => listAt(values, 0)[0] ?? null),
  define('last', [arg.list], oneElement, (values) => listAt(values, 0).at(-1) ?? null),
  define('slice', [arg.list, arg.number, optional(arg.number)], sameList, (values, { budget }) => {
    const part = listAt(values, 0).slice(numberAt(values, 1), optionalNumberAt(values, 2))
    budget.reserveList(part.length)
    return part
  }),
  define('concat', [arg.list, repeated(arg.list)], joinedList, (values, { budget }) => {
    budget.reserveList(values.reduce<number>((sum, _value, index) => sum + listAt(values, index).length, 0))
    return values.flatMap((_value, index) => listAt(values, index))
  }),
  define('reverse', [arg.list], sameList, (values, { budget }) => {
    budget.reserveList(listAt(values, 0).length)
    return listAt(values, 0).toReversed()
  }),
  define('flat', [arg.list], typeOfFlat, (values, { budget }) => {
    budget.reserveList(listAt(values, 0).reduce<number>((sum, element) => sum + (isList(element) ? element.length : 1), 0))
    return listAt(values, 0).flatMap((element) => element)
  }),
  define('sort', [arg.list], sameList, (values, { budget }) => {
    budget.reserveList(listAt(values, 0).length)
    return listAt(values, 0).toSorted((a, b) => compareValues(a, b, budget))
  }),
  define('unique', [arg.list], sameList, (values, { budget }) => {
    const byKey = new Map<string, FormulaValue>()
    for (const element of listAt(values, 0)) {
      const key = keyOf(element, budget)
      if (!byKey.has(key)) byKey.set(key, element)
    }
    return [...byKey.values()]
  }),
  takingEmpty(define('includes', [arg.list, arg.any], BOOLEAN, includes)),
  define('count', [arg.list], NUMBER, (values) => listAt(values, 0).length),
]

function includes([whole = null, wanted = null]: readonly FormulaValue[], { budget }: Frame): boolean {
  return isList(whole) && whole.some((element) => areEqual(element, wanted, budget))
}

function typeOfFlat([type]: readonly FormulaType[]): FormulaType {
  const element = elementOf(type)
  return listOf(element.kind === 'list' ? element.element : element)
}
