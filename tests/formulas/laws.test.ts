import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FormulaCompiler } from '../../server/domain/data/formulas/index.ts'
import { functionNames } from './support/function_names.ts'
import { parse } from '../../server/domain/data/formulas/parser.ts'
import { LEVELS } from '../../server/domain/data/formulas/syntax.ts'
import { quoted } from '../../server/domain/data/formulas/references.ts'
import { print, type Tree } from './support/printer.ts'
import { compiler, given, schemas, TASKS } from './support/workshop.ts'

/** Keys for source positions and call syntax: `a.f(b)` means `f(a, b)`. */
const FORMALITIES = new Set(['offset', 'targetStart', 'targetEnd', 'isDotCall'])

/** The expression without positions, as plain JSON. */
function shape(expression: unknown): unknown {
  return JSON.parse(JSON.stringify(expression, (key, value: unknown) => (FORMALITIES.has(key) ? undefined : value)))
}

const name = fc.constantFrom('a', 'total', 'größe', '_x1', 'current')
const { tree } = fc.letrec<{ tree: Tree; chain: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    fc.record({
      kind: fc.constant('literal' as const),
      value: fc.oneof(fc.nat(), fc.string({ unit: 'grapheme' }), fc.boolean()),
    }),
    fc.record({ kind: fc.constant('name' as const), name }),
    fc.record({ kind: fc.constant('list' as const), elements: fc.array(tie('tree'), { maxLength: 3 }) }),
    fc
      .record({
        name: fc.constantFrom('abs', 'concat', 'unheardOf'),
        args: fc.array(tie('tree'), { maxLength: 3 }),
        dot: fc.boolean(),
      })
      .map(({ name: called, args, dot }): Tree => ({
        kind: 'call',
        name: called,
        arguments: args,
        isDotCall: dot && args.length > 0,
      })),
    fc.record({
      kind: fc.constant('prefix' as const),
      operator: fc.constantFrom('-' as const, 'not' as const),
      operand: tie('tree'),
    }),
    tie('chain'),
    fc.record({ kind: fc.constant('power' as const), base: tie('tree'), exponent: tie('tree') }),
    fc
      .record({
        branches: fc.array(fc.record({ condition: tie('tree'), value: tie('tree') }), { minLength: 1, maxLength: 3 }),
        // A nested conditional here would be parsed as a further branch of this one.
        otherwise: tie('tree').filter(({ kind }) => kind !== 'conditional'),
      })
      .map((parts): Tree => ({ kind: 'conditional', ...parts })),
    fc.record({ kind: fc.constant('property' as const), page: fc.option(tie('tree'), { nil: undefined }), target: fc.string() }),
  ),
  chain: fc.constantFrom(...LEVELS).chain((level) =>
    fc.record({
      kind: fc.constant('chain' as const),
      first: tie('tree'),
      rest: fc.array(fc.record({ operator: fc.constantFrom(...level), operand: tie('tree') }), { minLength: 1, maxLength: 3 }),
    }),
  ),
}))

describe('the parser', () => {
  it('parses formulas printed with as few brackets as precedence allows', () => {
    fc.assert(
      fc.property(tree, fc.constantFrom(' ', '\n\t', ' /* ? : */ '), (original, blank) => {
        expect(shape(parse(print(original, blank), 'written'))).toEqual(shape(original))
      }),
      { numRuns: 400 },
    )
  })

  it('reads any text from its quoted form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(shape(parse(quoted(text), 'written'))).toEqual({ kind: 'literal', value: text })
      }),
    )
  })
})

const properties = (schemas.get(TASKS)?.properties ?? []).map((property) => `prop(${quoted(property.name)})`)
const token = fc.oneof(
  fc.constantFrom(
    ...LEVELS.flat(),
    '?',
    ':',
    '.',
    ',',
    '(',
    ')',
    '[',
    ']',
    '^',
    '!',
    'not',
    '=',
    '||',
    '===',
    '/*',
    '*/',
    '"',
    '\\',
  ),
  fc.constantFrom(...functionNames.map((fn) => `${fn}(`), ...functionNames.map((fn) => `.${fn}(`)),
  fc.constantFrom('1', '0', '2.5', '"a"', '""', '"(a+)+$"', '[]', 'true', 'false', 'current', 'index', 'pi', 'empty()', 'x'),
  fc.constantFrom(...properties),
  fc.string({ maxLength: 3 }),
)

describe('any formula text', () => {
  it('compiles and evaluates without a crash', () => {
    fc.assert(
      fc.property(fc.array(token, { maxLength: 25 }), (tokens) => {
        const text = tokens.join(' ')
        const { error } = compiler.compile(text, TASKS)
        if (error === undefined) expect(given(text)).toHaveProperty('value')
        else expect(error.position).toBeLessThanOrEqual([...text].length)
      }),
      { numRuns: 1000 },
    )
  })

  it('compiles without a crash as a stored formula', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(token, fc.constantFrom('{{', '}}', '{{["tasks","id_Hours","Hours"]}}')), { maxLength: 12 }),
        (tokens) => {
          expect(() => compiler.compile(tokens.join(' '), TASKS, 'stored')).not.toThrow()
        },
      ),
      { numRuns: 500 },
    )
  })
})

/** Arguments of the types that functions accept, so that most calls compile. */
const argument = fc.constantFrom(
  ...[
    '1',
    '-2',
    '0.5',
    '1000000',
    '"abc"',
    '""',
    '"days"',
    '"a*"',
    '"YYYY"',
    'true',
    'empty()',
    'now()',
    '[3, 1, 2]',
    '["b", "a"]',
  ],
  ...['[]', '[[1], [2]]', '[1, "a", empty()]', 'current', 'x', ...properties],
)

describe('any call in a formula', () => {
  it('of any function with any arguments evaluates without a crash', () => {
    let compiled = 0
    fc.assert(
      fc.property(fc.constantFrom(...functionNames), fc.array(argument, { maxLength: 4 }), (fn, args) => {
        const text = `${fn}(${args.join(', ')})`
        if (compiler.compile(text, TASKS).error !== undefined) return
        compiled++
        expect(given(text)).toHaveProperty('type')
      }),
      { numRuns: 2500 },
    )
    expect(compiled).toBeGreaterThan(100)
  })
})

const integer = fc.integer({ min: -1_000_000, max: 1_000_000 })
const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 })
const valueOf = (expression: string) => given(expression).value
/** A number as an expression: its decimal digits. */
const written = (value: number) => `toNumber(${quoted(String(value))})`

describe('arithmetic in formulas', () => {
  it('follows IEEE 754 doubles', () => {
    fc.assert(
      fc.property(number, number, (a, b) => {
        const plain = (value: number) => (Number.isFinite(value) ? value + 0 : null)
        expect(valueOf(`${written(a)} + ${written(b)}`)).toBe(plain(a + b))
        expect(valueOf(`${written(a)} - ${written(b)}`)).toBe(plain(a - b))
        expect(valueOf(`${written(a)} * ${written(b)}`)).toBe(plain(a * b))
        expect(valueOf(`${written(a)} / ${written(b)}`)).toBe(b === 0 ? null : plain(a / b))
        expect(valueOf(`${written(a)} < ${written(b)}`)).toBe(a < b)
      }),
    )
  })

  it('is commutative, distributive and invertible for integers', () => {
    fc.assert(
      fc.property(integer, integer, integer, (a, b, c) => {
        expect(valueOf(`${a} + ${b} == ${b} + ${a}`)).toBe(true)
        expect(valueOf(`(${a} + ${b}) * ${c} == ${a} * ${c} + ${b} * ${c}`)).toBe(true)
        expect(valueOf(`-(${a}) + ${a}`)).toBe(0)
        if (b !== 0) expect(valueOf(`lets(a, ${a}, b, ${b}, q, a / b, (q < 0 ? ceil(q) : floor(q)) * b + a % b)`)).toBe(a + 0)
        expect(valueOf(`median(${a}, ${b}, ${c})`)).toBe([a, b, c].toSorted((x, y) => x - y)[1])
        expect(valueOf(`sum([${a}, ${b}], ${c})`)).toBe(a + b + c)
      }),
    )
  })

  it('writes numbers in a form that reads as the same number, without exponents', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = valueOf(`format(${written(value)})`)
        expect(text).toMatch(/^-?\d+(\.\d+)?$/)
        expect(Number(text)).toBe(value + 0)
      }),
    )
  })

  it('rounds to the nearest integer, and halves up', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.integer({ min: 0, max: 4 }), (thousandths, decimals) => {
        const exact = thousandths / 1000
        const factor = 10 ** Math.max(0, 3 - decimals)
        expect(valueOf(`round(${written(exact)}, ${decimals})`)).toBeCloseTo(
          (Math.round(thousandths / factor) * factor) / 1000,
          9,
        )
      }),
    )
  })
})

const isoDay = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const isoMoment = fc
  .tuple(isoDay, fc.integer({ min: 0, max: 1439 }), fc.constantFrom('Z', '+02:00', '-05:30', '+14:00'))
  .map(([day, minute, offset]) => {
    const pad = (value: number) => String(value).padStart(2, '0')
    return `${day}T${pad(Math.floor(minute / 60))}:${pad(minute % 60)}:00${offset}`
  })
const unit = fc.constantFrom('years', 'quarters', 'months', 'weeks', 'days', 'hours', 'minutes')

describe('dates in formulas', () => {
  it('differ by as many whole units as they were moved', () => {
    fc.assert(
      fc.property(fc.oneof(isoDay, isoMoment), fc.integer({ min: -300, max: 300 }), unit, (date, count, of) => {
        expect(valueOf(`let(d, parseDate("${date}"), dateBetween(dateAdd(d, ${count}, "${of}"), d, "${of}"))`)).toBe(count + 0)
        expect(
          valueOf(`let(d, parseDate("${date}"), dateAdd(d, ${count}, "${of}") == dateSubtract(d, ${-count}, "${of}"))`),
        ).toBe(true)
      }),
    )
  })

  it('return to the same value when days, hours and minutes are added and then subtracted', () => {
    fc.assert(
      fc.property(
        isoMoment,
        fc.integer({ min: -5000, max: 5000 }),
        fc.constantFrom('weeks', 'days', 'hours', 'minutes'),
        (date, count, of) => {
          expect(
            valueOf(`let(d, parseDate("${date}"), dateSubtract(dateAdd(d, ${count}, "${of}"), ${count}, "${of}") == d)`),
          ).toBe(true)
        },
      ),
    )
  })

  it('differ by the number of whole units that dateBetween returns', () => {
    fc.assert(
      fc.property(isoMoment, isoMoment, unit, (a, b, of) => {
        const between = valueOf(`dateBetween(parseDate("${a}"), parseDate("${b}"), "${of}")`)
        const sign = Math.sign(Date.parse(a) - Date.parse(b))
        expect(Math.sign(Number(between)) * sign).toBeGreaterThanOrEqual(0)
        expect(valueOf(`dateAdd(parseDate("${b}"), ${between}, "${of}") ${sign < 0 ? '>=' : '<='} parseDate("${a}")`)).toBe(true)
        expect(
          valueOf(
            `dateAdd(parseDate("${b}"), ${Number(between) + (sign || 1)}, "${of}") ${sign < 0 ? '<' : '>'} parseDate("${a}")`,
          ),
        ).toBe(true)
      }),
    )
  })

  it('return the year, month, day, hour and minute from which they were written', () => {
    fc.assert(
      fc.property(isoMoment, (date) => {
        expect(valueOf(`formatDate(parseDate("${date}"), "YYYY-MM-DD[T]HH:mm:ss")`)).toBe(date.slice(0, 19))
        expect(valueOf(`timestamp(parseDate("${date}"))`)).toBe(Date.parse(date))
      }),
    )
  })
})

const words = fc.array(fc.string({ maxLength: 4, unit: 'grapheme' }), { maxLength: 8 })
const listed = (values: readonly string[]) => `[${values.map(quoted).join(', ')}]`

describe('lists and texts in formulas', () => {
  it('keep their elements when sorted, reversed or sliced', () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 0, max: 8 }), (values, cut) => {
        const list = listed(values)
        const codePoints = (text: string) => [...text].map((character) => character.codePointAt(0) ?? 0)
        const inOrder = values.toSorted((a, b) => {
          const [left, right] = [codePoints(a), codePoints(b)]
          const at = left.findIndex((point, index) => point !== right[index])
          return at < 0 || at >= right.length ? left.length - right.length : (left[at] ?? 0) - (right[at] ?? 0)
        })
        expect(valueOf(`sort(${list}) == ${listed(inOrder)}`)).toBe(true)
        expect(valueOf(`reverse(reverse(${list})) == ${list}`)).toBe(true)
        expect(valueOf(`concat(slice(${list}, 0, ${cut}), slice(${list}, ${cut})) == ${list}`)).toBe(true)
        expect(valueOf(`unique(${list}) == ${listed([...new Set(values)])}`)).toBe(true)
        expect(valueOf(`map(${list}, current) == ${list}`)).toBe(true)
      }),
    )
  })

  it('are equal again after a split and a join', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ minLength: 1, maxLength: 2 }), (text, separator) => {
        expect(valueOf(`split(${quoted(text)}, ${quoted(separator)}).join(${quoted(separator)})`)).toBe(text)
        expect(valueOf(`split(${quoted(text)}, "").length()`)).toBe([...text].length)
      }),
    )
  })
})

describe('the stored form of any formula', () => {
  it('compiles to the same type as the formula', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...properties), { minLength: 1, maxLength: 4 }), (names) => {
        const { formula } = compiler.compile(`[${names.join(', ')}]`, TASKS)
        if (formula === undefined) return
        const again = new FormulaCompiler((id) => schemas.get(id)).compile(formula.stored, TASKS, 'stored')
        expect(again.formula?.type).toEqual(formula.type)
        expect(again.formula?.references).toEqual(formula.references)
      }),
    )
  })
})
