import { FormulaFault } from './failures.ts'
import type { FunctionDefinition, Parameter } from './functions/definition.ts'
import { finite } from './operators.ts'
import type { Checked } from './scope.ts'
import { nameOfType, type FormulaType } from './types.ts'
import { valueKindOf, type FormulaValue } from './values.ts'

/**
 * Compiles a function call whose arguments are evaluated first.
 * @throws FormulaFault for a wrong number or type of arguments
 */
export function callOf(definition: FunctionDefinition, args: readonly Checked[], offset: number): Checked {
  const { name, parameters, result, takesEmpty, apply } = definition
  requireCount(name, parameters, args.length, offset)
  const expected = args.map((_argument, index) => parameters[Math.min(index, parameters.length - 1)] ?? { kinds: undefined })
  args.forEach((argument, index) => requireFit(name, expected[index], argument, index))
  const codes = args.map(({ code }, index) => ({ code, kinds: kindsToCheck(expected[index], args[index]?.type) }))
  return {
    type: typeof result === 'function' ? result(args.map(({ type }) => type)) : result,
    nesting: nestingOver(args),
    offset,
    code: (frame) => {
      frame.budget.spend(1)
      const values: FormulaValue[] = []
      for (const { code, kinds } of codes) {
        const value = code(frame)
        if (value === null ? takesEmpty !== true : !isOneOf(value, kinds)) return null
        values.push(value)
      }
      const made = apply(values, frame)
      if (typeof made === 'string') frame.budget.reserveText(made.length)
      return typeof made === 'number' ? finite(made) : made
    },
  }
}

/** The nesting depth of an expression with these parts. */
export function nestingOver(parts: readonly Checked[]): number {
  return 1 + parts.reduce((most, { nesting }) => Math.max(most, nesting), 0)
}

/** @throws FormulaFault unless a function with these parameters accepts this number of arguments */
export function requireCount(name: string, parameters: readonly Parameter[], count: number, offset: number): void {
  const { least, most } = countsOf(parameters)
  if (count >= least && count <= most) return
  throw new FormulaFault(`\`${name}\` takes ${countOf(least, most)}, not ${count}`, offset)
}

/** The number of arguments that parameters accept; `most` may be Infinity. */
export function countsOf(parameters: readonly Parameter[]): { least: number; most: number } {
  return {
    least: parameters.filter(({ isOptional }) => isOptional !== true).length,
    most: parameters.at(-1)?.repeats === true ? Infinity : parameters.length,
  }
}

function countOf(least: number, most: number): string {
  if (most === Infinity) return `at least ${countedArguments(least)}`
  if (least === most) return most === 0 ? 'no arguments' : countedArguments(most)
  return `${least} to ${countedArguments(most)}`
}

function countedArguments(count: number): string {
  return count === 1 ? '1 argument' : `${count} arguments`
}

function requireFit(name: string, parameter: Parameter | undefined, argument: Checked, index: number): void {
  const { type } = argument
  if (parameter?.kinds === undefined || type.kind === 'any' || type.kind === 'empty') return
  const { kinds, elements } = parameter
  if (kinds.some((kind) => kind === type.kind) && (type.kind !== 'list' || fitsElements(type.element, elements))) return
  const wanted = kinds.map((kind) =>
    kind === 'list' && elements !== undefined ? `List of ${nameOfType({ kind: elements })}` : nameOfType({ kind }),
  )
  throw new FormulaFault(
    `argument ${index + 1} of \`${name}\` should be ${wanted.join(' or ')}, not ${shownType(type)}`,
    argument.offset,
  )
}

function fitsElements(element: FormulaType, wanted: string | undefined): boolean {
  return wanted === undefined || element.kind === 'any' || element.kind === 'empty' || element.kind === wanted
}

function shownType(type: FormulaType): string {
  return type.kind === 'list' && type.element.kind !== 'any' && type.element.kind !== 'empty'
    ? `List of ${nameOfType(type.element)}`
    : nameOfType(type)
}

/** The kinds of values to check for at run time, if the type is not known statically. */
function kindsToCheck(parameter: Parameter | undefined, type: FormulaType | undefined): Parameter['kinds'] {
  return type?.kind === 'any' ? parameter?.kinds : undefined
}

function isOneOf(value: FormulaValue, kinds: Parameter['kinds']): boolean {
  return kinds === undefined || kinds.some((kind) => kind === valueKindOf(value))
}
