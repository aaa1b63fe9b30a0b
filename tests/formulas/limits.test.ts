import { describe, expect, it } from 'vitest'
import {
  formulaResult,
  Budget,
  evaluate,
  FormulaCompiler,
  NotLoaded,
  type SchemaProperty,
  type FormulaRow,
} from '../../server/domain/data/formulas/index.ts'
import type { FunctionDefinition, Parameter } from '../../server/domain/data/formulas/functions/definition.ts'
import { functions } from '../../server/domain/data/formulas/functions/index.ts'
import { commonType, listOf, TEXT, type FormulaType } from '../../server/domain/data/formulas/types.ts'
import { countSteps } from '../contract/support/steps.ts'
import { compiler, given, NOW, SampleRow, task, TASKS } from './support/workshop.ts'

const unsupported = { type: 'unsupported', value: null }
/** Processor time of this thread alone, so that other work on the machine does not count. */
const CPU_SECONDS_MAX = 0.5

/** Twice the time that the step budget allows. */
const EVALUATION_SECONDS_MAX = 0.1

/** Prefix that defines texts and lists of maximum length: `LONG, expression)`. Equal texts are different objects. */
const LONG = `lets(t, repeat("a", 199999), u, repeat("a", 199998) + "a", d, repeat("7", 199999), s, repeat("😀", 99999),
  l, split(repeat("b", 20000), ""), n, l.map(index)`

/** Calls of a function with long arguments. */
function callsOf({ name, parameters }: FunctionDefinition): string[] {
  const argumentOf = ({ kinds, elements }: Parameter, long: string): string => {
    if (kinds === undefined || kinds.includes('text')) return long
    if (kinds.includes('list')) return elements === 'number' ? 'n' : 'l'
    if (kinds.includes('number')) return '150000'
    if (kinds.includes('date')) return 'now()'
    return kinds.includes('person') ? 'prop("Author")' : 'current'
  }
  const given = parameters.filter(({ kinds }) => !kinds?.includes('page'))
  const calls = [
    ...['t', 'd', 's', 'l'].map((long) => given.map((parameter) => argumentOf(parameter, long))),
    given.map((parameter, index) => argumentOf(parameter, index === 0 ? 't' : '"a"')),
    given.map((parameter, index) => argumentOf(parameter, index === 0 ? 't' : '"b"')),
  ]
  return [...new Set(calls.map((args) => `${name}(${args.join(', ')})`))].filter(
    (call) => compiler.compile(`${LONG}, ${call})`, TASKS).error === undefined,
  )
}

/** Minimum processor time of several evaluations, since the first ones compile their code. */
function leastSeconds(expression: string): number {
  const times = Array.from({ length: 3 }, () => {
    const before = process.threadCpuUsage()
    given(expression)
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1e6
  })
  return Math.min(...times)
}

describe('the budget of a formula', () => {
  const nested = (count: number, inner: string, outer: (inner: string) => string): string =>
    Array.from({ length: count }).reduce<string>(outer, inner)
  const growing: readonly (readonly [what: string, expression: string])[] = [
    ['replacements that double', nested(16, '"a"', (inner) => `replaceAll(${inner}, "a", "aa")`)],
    [
      'replacements that grow and shrink',
      nested(20, 'repeat("a", 2000)', (inner) => `replaceAll(replaceAll(${inner}, "a", "bbbb"), "bbbb", "a")`),
    ],
    ['repetitions that are cut', nested(40, 'repeat("a", 10000)', (inner) => `substring(repeat(${inner}, 20), 0, 10000)`)],
    ['a text that is split and joined', nested(40, 'repeat("ab", 20000)', (inner) => `join(split(${inner}, "a"), "a")`)],
  ]

  const doubled = (count: number) => Array.from({ length: count }, (_unused, n) => `x${n + 1}, [x${n}, x${n}]`).join(', ')
  const rows: readonly (readonly [what: string, expression: string])[] = [
    ['a long text', 'repeat("x", 1000000)'],
    [
      'a text that doubles',
      `lets(x0, "xxxxxxxxxx", ${Array.from({ length: 40 }, (_u, n) => `x${n + 1}, x${n} + x${n}`).join(', ')}, length(x40))`,
    ],
    ['padding', 'padStart("x", 1000000000)'],
    ['padding of one list after another', 'split(repeat("x", 9999), "").map(padEnd(current, 99999)).length()'],
    ['a long list', 'split(repeat("x", 60000), "")'],
    ['lists within lists', 'let(l, split(repeat("x", 9999), ""), l.map(l.map(l.map(1))))'],
    [
      'a list that doubles',
      `lets(x0, [1], ${Array.from({ length: 40 }, (_u, n) => `x${n + 1}, concat(x${n}, x${n})`).join(', ')}, length(x40))`,
    ],
    ['the text of a list with shared elements', `lets(x0, 1, ${doubled(40)}, format(x40))`],
    [
      'comparing lists with shared elements',
      `lets(x0, 1, ${doubled(40)}, y, [x40], z, [x40], [y.first(), 1] == [[z.first()], 1] or unique([[y, 1], [z, 2]]).length() == 1)`,
    ],
    ['sorting lists with shared elements', `lets(x0, 1, ${doubled(40)}, sort([[x40, 1], [x40, 2]]).length())`],
    ['a backtracking pattern on a long text', 'test(repeat("a", 199999) + "b", "^(a|aa|aaa)*$")'],
    ['a pattern that restarts at each character', 'match(repeat("a", 100000), "a.*b|a").length()'],
    ['a large pattern', `test(repeat("a", 100000), "${'(a{50}b?){19}'}")`],
    ['replacements that grow', 'replaceAll(repeat("a", 10000), "a", repeat("b", 10000))'],
    ['patterns that differ each time', 'split(repeat("x", 20000), "").map(test("x", "(a{1,500}){2}" + index)).length()'],
    ['a date in a long pattern', 'formatDate(now(), repeat("dddd", 50000))'],
  ]
  it.each(rows)('stops %s in time, with an unsupported value', (_what, expression) => {
    const before = process.threadCpuUsage()
    expect(given(expression)).toEqual(unsupported)
    const { user, system } = process.threadCpuUsage(before)
    expect((user + system) / 1e6).toBeLessThan(CPU_SECONDS_MAX)
  })

  it.each(growing)('stops %s soon enough for 300 rows', (_what, expression) => {
    expect(given(expression)).toEqual(unsupported)
    expect(leastSeconds(expression)).toBeLessThan(EVALUATION_SECONDS_MAX)
  })

  it('allows a text and a list of maximum length', () => {
    expect(given('length(repeat("x", 200000))')).toEqual({ type: 'number', value: 200_000 })
    expect(given('length(split(repeat("x", 50000), ""))')).toEqual({ type: 'number', value: 50_000 })
  })

  it('does not allow a stored list that is too large', () => {
    const related = Array.from({ length: 50_001 }, () => task)
    const row = new SampleRow('a', 'A', {}, { id_Customers: related })
    const { formula } = compiler.compile('prop("Customers").length()', TASKS)
    expect(formula && formulaResult(formula, evaluate(formula, row, compiler, { now: NOW })).type).toBe('unsupported')
  })
})

describe('20,000 calls with long arguments stay within the time limit:', () => {
  it.each([...functions.values()].flatMap((definition) => callsOf(definition).map((call) => [call])))('%s', (call) => {
    const found = leastSeconds(`${LONG}, split(repeat("c", 20000), "").map(${call}).length())`)
    expect(found).toBeLessThan(EVALUATION_SECONDS_MAX)
  })

  it.each(['t == u', 't != u', 't < u', 't + u', 'l == [l, 1].first()', '[t, u].sort()', '[t, u].includes(u)'])('%s', (call) => {
    expect(leastSeconds(`${LONG}, split(repeat("c", 20000), "").map(${call}).length())`)).toBeLessThan(EVALUATION_SECONDS_MAX)
  })
})

describe('formulas with backtracking patterns', () => {
  it.each<[string, boolean]>([
    ['test(repeat("a", 30) + "b", "^(a+)+$")', false],
    ['test(repeat("a", 3000) + "b", "^(a|aa)+$")', false],
    ['test(repeat("a", 3000) + "!", "^([a-zA-Z]+)*$")', false],
    ['test(repeat("x", 3000), "(x+x+)+y")', false],
    ['test(repeat("a", 25), "(a?){25}a{25}")', true],
  ])('are evaluated: %s', (expression, value) => {
    expect(given(expression)).toEqual({ type: 'boolean', value })
  })
})

describe('ordinary formulas', () => {
  it.each([
    'prop("Name") + " " + formatDate(prop("Due"), "YYYY-MM-DD")',
    'match(repeat("lorem ipsum dolor ", 100), "\\\\w+").length()',
    'split(repeat("a,", 2000), ",").map(upper(current)).join("-").length()',
    'prop("Customers").map(current.prop("Balance")).sum()',
  ])('stay far within their budget: %s', (expression) => {
    expect(given(expression, 400_000).type).not.toBe('unsupported')
  })

  it('share one budget, and are unsupported once the budget is spent', () => {
    const budget = new Budget(100_000)
    const { formula } = compiler.compile('repeat("x", 100000).length()', TASKS)
    if (formula === undefined) throw new Error('should compile')
    const types = Array.from(
      { length: 8 },
      () => formulaResult(formula, evaluate(formula, task, compiler, { now: NOW, budget })).type,
    )
    expect(types.at(0)).toBe('number')
    expect(types.at(-1)).toBe('unsupported')
    expect(budget.stepsLeft).toBe(0)
  })
})

describe('long and deep formulas', () => {
  const errorOf = (expression: string) => compiler.compile(expression, TASKS).error

  it('may chain any number of operators, which do not count as nesting', () => {
    expect(given(Array(10_000).fill('1').join(' + '))).toEqual({ type: 'number', value: 10_000 })
    expect(given(`${'true and '.repeat(5000)}false`)).toEqual({ type: 'boolean', value: false })
    expect(given(`${'false ? 1 : '.repeat(4000)}2`)).toEqual({ type: 'number', value: 2 })
    expect(given(`ifs(${'false, 1, '.repeat(4000)}2)`)).toEqual({ type: 'number', value: 2 })
  })

  it.each<[string, (depth: number) => string]>([
    ['brackets', (depth) => `${'('.repeat(depth)}1${')'.repeat(depth)}`],
    ['lists', (depth) => `${'['.repeat(depth)}1${']'.repeat(depth)}`],
    ['calls', (depth) => `${'abs('.repeat(depth)}1${')'.repeat(depth)}`],
    ['dot calls', (depth) => `1${'.abs()'.repeat(depth)}`],
    ['prefixes', (depth) => `${'-'.repeat(depth)}1`],
    ['powers', (depth) => `1${'^1'.repeat(depth)}`],
  ])('may nest %s up to a limit', (_what, nest) => {
    expect(given(nest(99)).type).not.toBe('unsupported')
    expect(errorOf(nest(100))?.message).toBe('the formula is nested more than 100 levels deep')
    expect(errorOf(nest(20_000))?.message).toBe('the formula is nested more than 100 levels deep')
  })
})

function formulaProperty(name: string, text: string): SchemaProperty {
  return { id: name, name, type: 'formula', expression: { form: 'written', text } }
}

/** The value of the first of these formulas on a row. */
function firstOf(properties: readonly SchemaProperty[], row: FormulaRow = task): unknown {
  const own = new FormulaCompiler((id) => (id === 'own' ? { dataSourceId: 'own', properties } : undefined))
  const { formula, error } = own.property('own', properties[0]?.id ?? '')
  if (formula === undefined) throw new Error(error.message)
  return formulaResult(formula, evaluate(formula, row, own, { now: NOW }))
}

describe('formulas that use formulas', () => {
  const chain = (length: number, text: (next: string) => string, last = '1') => [
    ...Array.from({ length }, (_unused, n) => formulaProperty(`f${n}`, text(`prop("f${n + 1}")`))),
    formulaProperty(`f${length}`, last),
  ]

  it('nest at most 15 levels deep', () => {
    expect(firstOf(chain(15, (next) => `${next} + 1`))).toEqual({ type: 'number', number: 16 })
    expect(firstOf(chain(16, (next) => `${next} + 1`))).toEqual({ type: 'unsupported', unsupported: {} })
  })

  it('compute each used formula once, even if several places use it', () => {
    expect(firstOf(chain(15, (next) => `${next} + ${next}`))).toEqual({ type: 'number', number: 2 ** 15 })
  })

  it('compile in chains as long as a schema allows, with the type of the last formula', () => {
    const properties = chain(499, (next) => next, 'now()')
    const own = new FormulaCompiler(() => ({ dataSourceId: 'own', properties }))
    expect(own.property('own', 'f0').formula?.resultType).toBe('date')
  })

  it('compile and evaluate without exhausting the stack at maximum depth', () => {
    const deep = (next: string) => `${'abs('.repeat(95)}${next}${')'.repeat(95)}`
    expect(firstOf(chain(200, deep))).toEqual({ type: 'unsupported', unsupported: {} })
    expect(firstOf(chain(10, deep))).toEqual({ type: 'number', number: 1 })
    expect(firstOf(chain(13, deep))).toEqual({ type: 'unsupported', unsupported: {} })
  })
})

describe('relations in formulas', () => {
  const properties: SchemaProperty[] = [{ id: 'up', name: 'Up', type: 'relation', relatedDataSourceId: 'own' }]
  const row: FormulaRow = { id: 'a', title: 'A', read: () => null, related: () => [row] }
  const hops = (count: number) => formulaProperty('f', `prop("Up").first()${'.prop("Up").first()'.repeat(count - 1)}.id()`)

  it('are followed over at most 10 data sources', () => {
    expect(firstOf([hops(10), ...properties], row)).toEqual({ type: 'string', string: 'a' })
    expect(firstOf([hops(11), ...properties], row)).toEqual({ type: 'unsupported', unsupported: {} })
  })

  it('throw NotLoaded if the related rows are not loaded yet', () => {
    const missing: FormulaRow = {
      ...row,
      related: () => {
        throw new NotLoaded()
      },
    }
    expect(() => firstOf([hops(1), ...properties], missing)).toThrow(NotLoaded)
  })
})

describe('compiling takes time linear in the length of the formula:', () => {
  /** Number of entries put into maps, including copies of maps. */
  function entriesSet(expression: string): number {
    const { set } = Map.prototype
    let entries = 0
    Map.prototype.set = function (key: unknown, value: unknown) {
      entries += 1
      return set.call(this, key, value) as Map<unknown, unknown>
    }
    try {
      expect(compiler.compile(expression, TASKS).error).toBeUndefined()
    } finally {
      Map.prototype.set = set
    }
    return entries
  }

  it.each([
    ['adjacent names', (count: number) => `lets(${Array.from({ length: count }, (_u, n) => `x${n}, 1`).join(', ')}, x0)`],
    ['names in branches', (count: number) => Array.from({ length: count }, (_u, n) => `let(x${n}, 1, x${n})`).join(' + ')],
    ['elements of lists', (count: number) => Array.from({ length: count }, () => '[1].map(current).first()').join(' + ')],
  ])('%s', (_what, expression) => {
    const [once, twice] = [entriesSet(expression(200)), entriesSet(expression(400))]
    expect(once).toBeGreaterThanOrEqual(200)
    expect(twice).toBeLessThanOrEqual(2.2 * once)
  })

  it('comparing a deeply nested type with itself takes fewer than ten steps', () => {
    const deep = Array.from({ length: 1_000 }).reduce<FormulaType>((inner) => listOf(inner), TEXT)
    expect(countSteps(deep, (watched) => commonType(watched as FormulaType, watched as FormulaType))).toBeLessThan(10)
  })
})
