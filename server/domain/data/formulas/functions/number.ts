import { NUMBER } from '../types.ts'
import { numberAt, optionalNumberAt } from './arguments.ts'
import { arg, define, optional, repeated, takingEmpty, type FunctionDefinition, type Parameter } from './definition.ts'

const numbers: Parameter = { kinds: ['number', 'list'], elements: 'number' }

/** The arithmetic operators. */
export const ARITHMETIC: Readonly<Record<'+' | '-' | '*' | '/' | '%' | '^', (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '^': (a, b) => a ** b,
}

const OPERATORS = { add: '+', subtract: '-', multiply: '*', divide: '/', mod: '%', pow: '^' } as const

const UNARY = {
  abs: Math.abs,
  ceil: Math.ceil,
  floor: Math.floor,
  sqrt: Math.sqrt,
  cbrt: Math.cbrt,
  exp: Math.exp,
  ln: Math.log,
  log10: Math.log10,
  log2: Math.log2,
  sign: Math.sign,
}

/** The aggregates of a list. An aggregate is null, the empty value, if it is undefined for an empty list. */
export const AGGREGATES = {
  min: (values: readonly number[]) => (values.length === 0 ? null : values.reduce((a, b) => Math.min(a, b))),
  max: (values: readonly number[]) => (values.length === 0 ? null : values.reduce((a, b) => Math.max(a, b))),
  sum,
  mean: (values: readonly number[]) => (values.length === 0 ? null : sum(values) / values.length),
  median,
} satisfies Readonly<Record<string, (values: readonly number[]) => number | null>>

export const numberFunctions: readonly FunctionDefinition[] = [
  ...Object.entries(OPERATORS).map(([name, operator]) =>
    define(name, [arg.number, arg.number], NUMBER, (values) => ARITHMETIC[operator](numberAt(values, 0), numberAt(values, 1))),
  ),
  ...Object.entries(AGGREGATES).map(([name, aggregate]) =>
    takingEmpty(
      define(name, [repeated(numbers)], NUMBER, (values, { budget }) => {
        const all = values.flatMap((value) => value)
        // Charged for sorting, which the median needs.
        budget.reserveList(all.length)
        budget.spend(all.length * Math.ceil(Math.log2(all.length + 1) / 4))
        const present = all.filter((value) => value !== null)
        const onlyNumbers = present.filter((value) => typeof value === 'number')
        return onlyNumbers.length === present.length ? aggregate(onlyNumbers) : null
      }),
    ),
  ),
  ...Object.entries(UNARY).map(([name, compute]) => define(name, [arg.number], NUMBER, (values) => compute(numberAt(values, 0)))),
  define('round', [arg.number, optional(arg.number)], NUMBER, (values) =>
    roundTo(numberAt(values, 0), optionalNumberAt(values, 1) ?? 0),
  ),
  define('pi', [], NUMBER, () => Math.PI),
  define('e', [], NUMBER, () => Math.E),
]

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]]
  return low === undefined || high === undefined ? null : low / 2 + high / 2
}

/** Rounds the decimal representation of a number, so that 1.005 to two places is 1.01. Halves are rounded up. */
function roundTo(value: number, places: number): number {
  const count = Math.trunc(places)
  const shifted = shift(value, count)
  if (!Number.isFinite(shifted)) return value
  return shift(Math.round(shifted), -count)
}

/** Moves the decimal point of the number's decimal representation to the right. */
function shift(value: number, places: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e')
  return Number(`${digits}e${Number(exponent) + places}`)
}
