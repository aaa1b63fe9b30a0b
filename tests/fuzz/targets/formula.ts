import { isDeepStrictEqual } from 'node:util'
import {
  formulaResult,
  Budget,
  evaluate,
  isList,
  renderStored,
  type CompiledFormula,
  type FormulaType,
  type FormulaValue,
} from '../../../server/domain/data/formulas/index.ts'
import { FormulaFault } from '../../../server/domain/data/formulas/failures.ts'
import { STEPS_MAX } from '../../../server/domain/data/formulas/limits.ts'
import { parse } from '../../../server/domain/data/formulas/parser.ts'
import { quoted } from '../../../server/domain/data/formulas/references.ts'
import { LEVELS } from '../../../server/domain/data/formulas/syntax.ts'
import type { ExpressionForm } from '../../../server/domain/data/formulas/tokens.ts'
import { functionNames } from '../../formulas/support/function_names.ts'
import { print, type Tree } from '../../formulas/support/printer.ts'
import { compiler, NOW, schemas, task, TASKS } from '../../formulas/support/workshop.ts'
import { mutateText } from '../mutations.ts'
import { Broken, type Target } from '../target.ts'

const properties = (schemas.get(TASKS)?.properties ?? []).map(({ name }) => `prop(${quoted(name)})`)
const [first = '', ...others] = properties

/** An expression that compiles is printed, stored and evaluated; the error of any other names its position. */
export const target: Target = {
  seeds: [
    `if(empty(${first}), "none", ${first} + " " + format(round(prop("Hours") * 1.5, 2)))`,
    'lets(a, [1, 2, 3], b, a.map(current * index), b.filter(current > 1).sum() / length(a))',
    'dateAdd(parseDate("2026-05-04T10:00:00+02:00"), 3, "days").formatDate("MMMM D, YYYY [at] HH:mm")',
    'prop("Customers").map(current.prop("Balance")).sort().at(-1) ? "a" : not true && false ? -2 ^ 2 : 1 % 3',
    'replaceAll("abc", "[a-c]+?", "$1").split(",").join("-") == "x" || test("a", "(b|c)*")',
    '=/* note */ ifs(prop("Done"), style("a", "b", "red"), true, substring(upper("x"), 0, 1))',
    '{{["tasks","id_Hours","Hours"]}} + prop({{["tasks","id_Rate","Rate"]}})',
    'prop("Team").map(current.name()).flat().unique().includes("Ada")',
    'if(prop("Done"), [1, "a", true].at(0), "b") + [[1], "a", empty()].first()',
    'let(x, [1, today(), "a"].at(1), ifs(prop("Open"), x, prop("Zero") > 1, 2, x == 3, x))',
    ...functionNames.map((name) => `${name}(${first}, 1)`),
    ...others,
  ],
  words: [
    ...properties,
    ...functionNames.flatMap((name) => [`${name}(`, `.${name}(`]),
    ...LEVELS.flat(),
    ...['?', ':', ',', ')', '[', ']', '^', '!', '"', '\\', '/*', '*/', '{{["tasks","id_Hours","Hours"]}}', '}}', '.prop('],
    ...['current', 'index', 'empty()', 'true', 'now()', '"days"', '"a*"', '"(a|b)+$"', '"YYYY"', '1e9', '99999999999', '0.1'],
  ],
  mutate: mutateText,
  growsTo: 65_536,
  check(input) {
    for (const form of ['written', 'stored'] as const) {
      checkSyntax(input, form)
      const { formula, error } = compiler.compile(input, TASKS, form)
      if (error && !(error.position >= 0 && error.position <= [...input].length))
        throw new Broken('an error stands inside the text', JSON.stringify(error))
      if (!formula) continue
      if (form === 'written') checkStored(formula)
      checkValue(formula)
    }
  },
}

/** The printer of the tests writes numbers only in digits. */
const PRINTABLE_MAX = 1e21

function checkSyntax(input: string, form: ExpressionForm): void {
  let tree: Tree
  try {
    tree = withoutPositions(parse(input, form))
  } catch (error) {
    if (error instanceof FormulaFault) return
    throw error
  }
  if (form === 'stored' || hasUnprintable(tree)) return
  const printed = print(tree)
  if (!isDeepStrictEqual(withoutPositions(parse(printed, form)), tree))
    throw new Broken('what is printed reads as the same', printed)
}

const POSITIONS = new Set(['offset', 'targetStart', 'targetEnd'])

function withoutPositions(expression: object): Tree {
  return JSON.parse(JSON.stringify(expression, (key, value: unknown) => (POSITIONS.has(key) ? undefined : value))) as Tree
}

function hasUnprintable(tree: unknown): boolean {
  if (typeof tree === 'number') return tree >= PRINTABLE_MAX || (tree > 0 && tree < 1e-6)
  return typeof tree === 'object' && tree !== null && Object.values(tree).some(hasUnprintable)
}

function checkStored(formula: CompiledFormula): void {
  const again = compiler.compile(formula.stored, TASKS, 'stored').formula
  if (!again || !isDeepStrictEqual([again.type, again.references], [formula.type, formula.references]))
    throw new Broken('what is stored compiles to the same', formula.stored)
  const shown = renderStored(formula.stored, (id) => schemas.get(id))
  const written = compiler.compile(shown, TASKS)
  if (written.formula && written.formula.stored !== formula.stored)
    throw new Broken('what is shown is stored as the same', `${shown}\n${written.formula.stored}`)
}

function checkValue(formula: CompiledFormula): void {
  const budget = new Budget()
  const evaluation = evaluate(formula, task, compiler, { now: NOW, budget })
  formulaResult(formula, evaluation)
  if (evaluation.isUnsupported) return
  if (!fits(formula.type, evaluation.value))
    throw new Broken('a value is of the type that was said', JSON.stringify(formula.type))
  if (STEPS_MAX - budget.stepsLeft > STEPS_MAX) throw new Broken('no more than the budget is spent')
}

function fits(type: FormulaType, value: FormulaValue): boolean {
  if (value === null || type.kind === 'any') return true
  switch (type.kind) {
    case 'empty':
      return false
    case 'text':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number' && Number.isFinite(value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'list':
      return isList(value) && value.every((element) => fits(type.element, element))
    case 'date':
    case 'person':
    case 'page':
      return typeof value === 'object' && !isList(value) && value.kind === type.kind
  }
}
