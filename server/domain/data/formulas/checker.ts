import { callOf, nestingOver, requireCount } from './calls.ts'
import { FormulaFault } from './failures.ts'
import type { Code, PropertyReader } from './frame.ts'
import { functions } from './functions/index.ts'
import { arithmetic, fitsNumber, operatorFor, type Combine } from './operators.ts'
import type { PropertyReference } from './references.ts'
import { NameScope, type Checked } from './scope.ts'
import { checkedArguments, conditional, ELEMENT_NAMES, junction, specialForms } from './special_forms.ts'
import type {
  CallExpression,
  ChainExpression,
  Expression,
  NameExpression,
  PowerExpression,
  PrefixExpression,
  PropertyExpression,
} from './syntax.ts'
import { BOOLEAN, elementTypeOf, listOf, nameOfType, NUMBER, TEXT, type FormulaType } from './types.ts'
import { isOfKind, isTruthy, type FormulaValue } from './values.ts'

export interface ResolvedProperty {
  readonly reference: PropertyReference
  readonly type: FormulaType
  readonly read: PropertyReader
}

/**
 * Finds the property of a data source to which an expression refers.
 * @throws FormulaFault if it does not exist or cannot be referenced
 */
type ResolveProperty = (dataSourceId: string, target: string | PropertyReference, offset: number) => ResolvedProperty

/** Where a property is referenced in the text, in UTF-16 offsets. */
export interface ReferencePlace {
  readonly start: number
  readonly end: number
  readonly reference: PropertyReference
}

/** Checks the names and types of an expression and generates its code. */
export class Checker {
  readonly #dataSourceId: string
  readonly #resolve: ResolveProperty
  /** Property references in the order of the text. */
  readonly places: ReferencePlace[] = []

  constructor(dataSourceId: string, resolve: ResolveProperty) {
    this.#dataSourceId = dataSourceId
    this.#resolve = resolve
  }

  /** @throws FormulaFault */
  readonly check = (expression: Expression, scope = new NameScope()): Checked => {
    switch (expression.kind) {
      case 'literal':
        return literal(expression.value, expression.offset)
      case 'name':
        return this.#name(expression, scope)
      case 'list':
        return this.#list(expression.elements, expression.offset, scope)
      case 'call':
        return this.#call(expression, scope)
      case 'prefix':
        return this.#prefix(expression, scope)
      case 'chain':
        return this.#chain(expression, scope)
      case 'power':
        return this.#power(expression, scope)
      case 'conditional':
        return conditional(
          expression.branches.map(({ condition, value }) => ({
            condition: this.check(condition, scope),
            value: this.check(value, scope),
          })),
          this.check(expression.otherwise, scope),
          expression.offset,
        )
      case 'property':
        return this.#property(expression, scope)
    }
  }

  #name({ name, offset }: NameExpression, scope: NameScope): Checked {
    const binding = scope.find(name)
    if (binding !== undefined) {
      const { slot, type } = binding
      return { type, nesting: 1, offset, code: (frame) => frame.slots[slot] ?? null }
    }
    const constant = name === 'pi' || name === 'e' ? functions.get(name) : undefined
    if (constant !== undefined) return callOf(constant, [], offset)
    if (ELEMENT_NAMES.has(name)) {
      throw new FormulaFault(`\`${name}\` has a meaning only within map, filter, find, findIndex, some and every`, offset)
    }
    throw new FormulaFault(`the name \`${name}\` is unknown`, offset)
  }

  #list(expressions: readonly Expression[], offset: number, scope: NameScope): Checked {
    const elements = expressions.map((element) => this.check(element, scope))
    const codes = elements.map(({ code }) => code)
    return {
      type: listOf(elementTypeOf(elements.map(({ type }) => type))),
      nesting: nestingOver(elements),
      offset,
      code: (frame) => {
        frame.budget.reserveList(codes.length)
        return codes.map((code) => code(frame))
      },
    }
  }

  #call(call: CallExpression, scope: NameScope): Checked {
    const special = specialForms.get(call.name)
    if (special !== undefined) {
      requireCount(call.name, special.parameters, call.arguments.length, call.offset)
      return special.form(call, scope, this.check)
    }
    const definition = functions.get(call.name)
    if (definition === undefined) throw new FormulaFault(`the function \`${call.name}\` is unknown`, call.offset)
    return callOf(definition, checkedArguments(call, scope, this.check), call.offset)
  }

  #prefix({ operator, operand: expression, offset }: PrefixExpression, scope: NameScope): Checked {
    const operand = this.check(expression, scope)
    const nesting = nestingOver([operand])
    if (operator === 'not') return { type: BOOLEAN, nesting, offset, code: (frame) => !isTruthy(operand.code(frame)) }
    if (!fitsNumber(operand.type)) throw new FormulaFault(`\`-\` takes a Number, not ${nameOfType(operand.type)}`, offset)
    return { type: NUMBER, nesting, offset, code: (frame) => arithmetic('-', 0, operand.code(frame)) }
  }

  #chain({ first: firstExpression, rest, offset }: ChainExpression, scope: NameScope): Checked {
    const first = this.check(firstExpression, scope)
    const operands = rest.map(({ operand }) => this.check(operand, scope))
    const junctions = rest.map(({ operator }) => operator).find((operator) => operator === 'and' || operator === 'or')
    if (junctions === 'and' || junctions === 'or') return junction(junctions, [first, ...operands], offset)
    const steps: { combine: Combine; code: Code }[] = []
    let type = first.type
    rest.forEach((link, index) => {
      const operand = operands[index]
      if (operand === undefined || link.operator === 'and' || link.operator === 'or') return
      const step = operatorFor(link.operator, type, operand.type, link.offset)
      steps.push({ combine: step.combine, code: operand.code })
      type = step.type
    })
    const code: Code = (frame) => {
      let value: FormulaValue = first.code(frame)
      for (const step of steps) {
        frame.budget.spend(1)
        value = step.combine(value, step.code(frame), frame)
      }
      return value
    }
    return { type, nesting: nestingOver([first, ...operands]), offset, code }
  }

  #power({ base: baseExpression, exponent: exponentExpression, offset }: PowerExpression, scope: NameScope): Checked {
    const base = this.check(baseExpression, scope)
    const exponent = this.check(exponentExpression, scope)
    if (!fitsNumber(base.type) || !fitsNumber(exponent.type)) {
      throw new FormulaFault(`\`^\` takes two Numbers, not ${nameOfType(base.type)} and ${nameOfType(exponent.type)}`, offset)
    }
    return {
      type: NUMBER,
      nesting: nestingOver([base, exponent]),
      offset,
      code: (frame) => arithmetic('^', base.code(frame), exponent.code(frame)),
    }
  }

  #property(expression: PropertyExpression, scope: NameScope): Checked {
    const { target, targetStart, targetEnd, offset } = expression
    const page = expression.page === undefined ? undefined : this.check(expression.page, scope)
    const dataSourceId = page === undefined ? this.#dataSourceId : dataSourceOf(page, offset)
    const { reference, type, read } = this.#resolve(dataSourceId, target, targetStart)
    this.places.push({ start: targetStart, end: targetEnd, reference })
    if (page === undefined) return { type, nesting: 1, offset, code: (frame) => read(frame, undefined) }
    return {
      type,
      nesting: nestingOver([page]),
      offset,
      code: (frame) => {
        frame.budget.spend(1)
        const value = page.code(frame)
        return isOfKind(value, 'page') ? read(frame, value) : null
      },
    }
  }
}

function literal(value: number | string | boolean, offset: number): Checked {
  const type = typeof value === 'number' ? NUMBER : typeof value === 'string' ? TEXT : BOOLEAN
  return { type, nesting: 1, offset, code: () => value }
}

function dataSourceOf({ type }: Checked, offset: number): string {
  if (type.kind === 'page' && type.dataSourceId !== undefined) return type.dataSourceId
  if (type.kind === 'page')
    throw new FormulaFault('the page may belong to one of several data sources, so its properties are not known', offset)
  const hint = type.kind === 'list' ? '; go over the pages with `map`' : ''
  throw new FormulaFault(`\`prop\` reads a property of a Page, not of ${nameOfType(type)}${hint}`, offset)
}
