import { callOf, nestingOver } from './calls.ts'
import { FormulaFault } from './failures.ts'
import type { Code, Frame } from './frame.ts'
import { arg, optional, repeated, type Parameter } from './functions/definition.ts'
import { emptyOfValue } from './functions/general.ts'
import { NameScope, type Checked } from './scope.ts'
import type { CallExpression, Expression } from './syntax.ts'
import { BOOLEAN, commonType, elementOf, EMPTY, listOf, nameOfType, NUMBER, type FormulaType } from './types.ts'
import { isTruthy, isList, type FormulaValue } from './values.ts'

/** Checks an expression within a scope. */
type CheckExpression = (expression: Expression, scope: NameScope) => Checked

type Form = (call: CallExpression, scope: NameScope, check: CheckExpression) => Checked

interface SpecialForm {
  readonly parameters: readonly Parameter[]
  /** Compiles the call. The number of arguments is valid. */
  readonly form: Form
}

type TypeOfResult = (inner: Checked, list: FormulaType) => FormulaType
type Each<Result> = (element: FormulaValue, index: number) => Result
type OverList = (list: readonly FormulaValue[], holdsFor: Each<boolean>, valueFor: Each<FormulaValue>) => FormulaValue

/** The functions that evaluate their second argument for each element of a list. */
const LIST_FORMS: readonly (readonly [name: string, typeOf: TypeOfResult, apply: OverList])[] = [
  ['map', (inner) => listOf(inner.type), (list, _holdsFor, valueFor) => list.map(valueFor)],
  ['filter', (_inner, list) => listOf(elementOf(list)), (list, holdsFor) => list.filter(holdsFor)],
  ['find', (_inner, list) => elementOf(list), (list, holdsFor) => list.find(holdsFor) ?? null],
  ['findIndex', () => NUMBER, (list, holdsFor) => list.findIndex(holdsFor)],
  ['some', () => BOOLEAN, (list, holdsFor) => list.some(holdsFor)],
  ['every', () => BOOLEAN, (list, holdsFor) => list.every(holdsFor)],
]

/** Functions that evaluate their arguments themselves: only some of them, repeatedly, or with additional names in scope. */
export const specialForms: ReadonlyMap<string, SpecialForm> = new Map<string, SpecialForm>([
  ['if', { parameters: [arg.any, arg.any, arg.any], form: conditionalCall }],
  ['ifs', { parameters: [arg.any, arg.any, optional(repeated(arg.any))], form: conditionalCall }],
  ['and', { parameters: [arg.any, repeated(arg.any)], form: junctionCall('and') }],
  ['or', { parameters: [arg.any, repeated(arg.any)], form: junctionCall('or') }],
  ['empty', { parameters: [optional(arg.any)], form: emptyCall }],
  ['let', { parameters: [arg.any, arg.any, arg.any], form: bindings }],
  ['lets', { parameters: [arg.any, arg.any, repeated(arg.any)], form: bindings }],
  ...LIST_FORMS.map(([name, typeOf, apply]) => [name, overList(typeOf, apply)] as const),
])

export const ELEMENT_NAMES: ReadonlySet<string> = new Set(['current', 'index'])

/**
 * The value that belongs to the first truthy condition.
 * @param otherwise the value if none is; empty if undefined
 * @throws FormulaFault if the values have no common type
 */
export function conditional(
  branches: readonly { readonly condition: Checked; readonly value: Checked }[],
  otherwise: Checked | undefined,
  offset: number,
): Checked {
  const values = [...branches.map(({ value }) => value), ...(otherwise === undefined ? [] : [otherwise])]
  const tests = branches.map(({ condition, value }) => ({ condition: condition.code, code: value.code }))
  const last: Code = otherwise?.code ?? (() => null)
  return {
    type: values.reduce<FormulaType>((common, value) => requireCommon(common, value), EMPTY),
    nesting: nestingOver([...values, ...branches.map(({ condition }) => condition)]),
    offset,
    code: (frame) => {
      for (const test of tests) {
        frame.budget.spend(1)
        if (isTruthy(test.condition(frame))) return test.code(frame)
      }
      return last(frame)
    },
  }
}

function requireCommon(common: FormulaType, value: Checked): FormulaType {
  const type = commonType(common, value.type)
  if (type !== undefined) return type
  throw new FormulaFault(
    `all branches should have one type: expected ${nameOfType(common)}, as in the branches before, found ${nameOfType(value.type)}`,
    value.offset,
  )
}

/** Whether all (`and`) or any (`or`) of the conditions hold. Evaluation stops at the first condition that decides. */
export function junction(operator: 'and' | 'or', operands: readonly Checked[], offset: number): Checked {
  const codes = operands.map(({ code }) => code)
  const test = (frame: Frame) => (code: Code) => {
    frame.budget.spend(1)
    return isTruthy(code(frame))
  }
  return {
    type: BOOLEAN,
    nesting: nestingOver(operands),
    offset,
    code: operator === 'and' ? (frame) => codes.every(test(frame)) : (frame) => codes.some(test(frame)),
  }
}

export function checkedArguments(call: CallExpression, scope: NameScope, check: CheckExpression): Checked[] {
  return call.arguments.map((argument) => check(argument, scope))
}

function conditionalCall(call: CallExpression, scope: NameScope, check: CheckExpression): Checked {
  const args = checkedArguments(call, scope, check)
  const otherwise = args.length % 2 === 1 ? args.pop() : undefined
  const branches: { condition: Checked; value: Checked }[] = []
  for (let index = 0; index < args.length; index += 2) {
    const [condition, value] = args.slice(index, index + 2)
    if (condition !== undefined && value !== undefined) branches.push({ condition, value })
  }
  return conditional(branches, otherwise, call.offset)
}

function junctionCall(name: 'and' | 'or'): Form {
  return (call, scope, check) => junction(name, checkedArguments(call, scope, check), call.offset)
}

function emptyCall(call: CallExpression, scope: NameScope, check: CheckExpression): Checked {
  if (call.arguments.length === 0) return { type: EMPTY, nesting: 1, offset: call.offset, code: () => null }
  return callOf(emptyOfValue, checkedArguments(call, scope, check), call.offset)
}

function bindings(call: CallExpression, scope: NameScope, check: CheckExpression): Checked {
  if (call.arguments.length % 2 === 0) {
    throw new FormulaFault(
      `\`${call.name}\` takes names with their values, and an expression, not ${call.arguments.length} arguments`,
      call.offset,
    )
  }
  const bound: { slot: number; value: Checked }[] = []
  const inner = new NameScope(scope)
  for (let index = 0; index + 2 < call.arguments.length; index += 2) {
    const [name, expression] = call.arguments.slice(index, index + 2)
    if (name === undefined || expression === undefined) continue
    const value = check(expression, inner)
    bound.push({ slot: inner.add(requireName(name), value.type), value })
  }
  const [last] = call.arguments.slice(-1)
  if (last === undefined) throw new FormulaFault('an expression is missing', call.offset)
  const body = check(last, inner)
  const steps = bound.map(({ slot, value }) => ({ slot, code: value.code }))
  return {
    type: body.type,
    nesting: nestingOver([body, ...bound.map(({ value }) => value)]),
    offset: call.offset,
    code: (frame) => {
      for (const { slot, code } of steps) {
        frame.budget.spend(1)
        frame.slots[slot] = code(frame)
      }
      return body.code(frame)
    },
  }
}

function requireName(expression: Expression): string {
  if (expression.kind !== 'name') throw new FormulaFault('expected a name for the value', expression.offset)
  if (ELEMENT_NAMES.has(expression.name))
    throw new FormulaFault(`\`${expression.name}\` cannot be the name of a value`, expression.offset)
  return expression.name
}

function overList(typeOf: TypeOfResult, apply: OverList): SpecialForm {
  const form: Form = (call, scope, check) => {
    const [listExpression, innerExpression] = call.arguments
    if (listExpression === undefined || innerExpression === undefined)
      throw new FormulaFault('an expression is missing', call.offset)
    const list = check(listExpression, scope)
    if (!['list', 'any', 'empty'].includes(list.type.kind)) {
      throw new FormulaFault(`argument 1 of \`${call.name}\` should be List, not ${nameOfType(list.type)}`, list.offset)
    }
    const ofElement = new NameScope(scope)
    const current = ofElement.add('current', elementOf(list.type))
    const index = ofElement.add('index', NUMBER)
    const inner = check(innerExpression, ofElement)
    const code = (frame: Frame): FormulaValue => {
      const elements = list.code(frame)
      if (!isList(elements)) return null
      const valueFor: Each<FormulaValue> = (element, position) => {
        frame.budget.spend(1)
        frame.slots[current] = element
        frame.slots[index] = position
        return inner.code(frame)
      }
      return apply(elements, (element, position) => isTruthy(valueFor(element, position)), valueFor)
    }
    return { type: typeOf(inner, list.type), nesting: nestingOver([list, inner]), offset: call.offset, code }
  }
  return { parameters: [arg.any, arg.any], form }
}
