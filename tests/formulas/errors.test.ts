import { describe, expect, it } from 'vitest'
import { claimOf, FormulaCompiler, type SchemaProperty } from '../../server/domain/data/formulas/index.ts'
import { compiler, TASKS } from './support/workshop.ts'

/** The position of each fault in characters, and part of its message. */
const faults: Readonly<Record<string, readonly (readonly [expression: string, position: number, words: string])[]>> = {
  'tokens and syntax': [
    [' ', 1, 'a value is missing at the end'],
    ['=', 1, 'missing at the end'],
    ['1 +', 3, 'missing at the end'],
    ['1 + + 2', 4, 'found `+`'],
    ['* 2', 0, 'found `*`'],
    ['1 2', 2, 'found `2`'],
    ['(1', 2, '`)` is missing at the end'],
    ['1)', 1, 'found `)`'],
    ['[1, ', 4, 'missing at the end'],
    ['[1,]', 3, 'found `]`'],
    ['max(1,, 2)', 6, 'found `,`'],
    ['"open', 0, 'no closing quote'],
    ['1 + "open', 4, 'no closing quote'],
    ["'a'", 0, 'has no meaning here'],
    ['1 /* open', 2, 'comment is not closed'],
    ['1 = 1', 2, 'has no meaning here'],
    ['== 1', 0, 'found `==`'],
    ['true & false', 5, 'has no meaning here'],
    ['1 ~ 2', 2, 'has no meaning here'],
    ['{{["a","b","c"]}}', 0, 'has no meaning here'],
    ['prop({{["tasks","id_Name","Name"]}})', 5, 'has no meaning here'],
    ['.5', 0, 'found `.`'],
    ['1.', 2, 'the name of a function is missing'],
    ['1e5', 1, 'must not be followed directly by a name'],
    ['1.5x', 3, 'must not be followed directly by a name'],
    ['true ? 1', 8, '`:` is missing at the end'],
    ['true ? : 2', 7, 'found `:`'],
    ['1 : 2', 2, 'found `:`'],
    ['and', 0, 'found `and`'],
    ['1 not 2', 2, 'found `not`'],
    ['"a".length', 10, '`(` is missing at the end'],
    ['"a".5', 4, 'found `5`'],
    ['😀', 0, 'has no meaning here'],
    ['"😀" + ', 6, 'missing at the end'],
    ['"😀😀" ^ 2', 5, '`^` takes two Numbers'],
    ['9'.repeat(400), 0, 'too large'],
  ],
  names: [
    ['nothing(1)', 0, 'the function `nothing` is unknown'],
    ['1 + Abs(1)', 4, 'the function `Abs` is unknown'],
    ['x + 1', 0, 'the name `x` is unknown'],
    ['empty', 0, 'the name `empty` is unknown'],
    ['current', 0, '`current` has a meaning only within'],
    ['[1].map(current) + index', 19, '`index` has a meaning only within'],
    ['let(x, 1, x) + x', 15, 'the name `x` is unknown'],
    ['let(x, x, 1)', 7, 'the name `x` is unknown'],
    ['let(1, 2, 3)', 4, 'a name for the value'],
    ['let("x", 2, 3)', 4, 'a name for the value'],
    ['let(current, 2, 3)', 4, 'cannot be the name'],
    ['larger(2, 1)', 0, '`larger` is unknown'],
    ['largerEq(2, 1)', 0, '`largerEq` is unknown'],
    ['smaller(2, 1)', 0, '`smaller` is unknown'],
    ['smallerEq(2, 1)', 0, '`smallerEq` is unknown'],
    ['start(prop("Due"))', 0, '`start` is unknown'],
    ['end(prop("Due"))', 0, '`end` is unknown'],
    ['unaryMinus(1)', 0, '`unaryMinus` is unknown'],
    ['slice("abc", 1)', 6, 'should be List, not Text'],
    ['concat("a", "b")', 7, 'should be List, not Text'],
    ['constructor(1)', 0, '`constructor` is unknown'],
    ['__proto__', 0, '`__proto__` is unknown'],
  ],
  properties: [
    ['prop("Gone")', 5, 'the property "Gone" is unknown'],
    ['1 + prop( "name" )', 10, 'the property "name" is unknown'],
    ['prop("Press")', 5, 'type button cannot be read'],
    ['prop("Spot")', 5, 'type location cannot be read'],
    ['prop("Seen")', 5, 'type last_visited_time cannot be read'],
    ['prop(Name)', 5, 'in double quotes'],
    ['prop()', 5, 'in double quotes'],
    ['prop("Name", 1)', 11, 'found `,`'],
    ['prop', 4, '`(` is missing'],
    ['prop("Customers").prop("City")', 18, 'not of List; go over the pages with `map`'],
    ['prop("Name").prop("City")', 13, 'not of Text'],
    ['prop("Customers").first().prop("Town")', 31, 'the property "Town" is unknown'],
    ['prop("Hidden").first().prop("Name")', 28, 'the data source of this page cannot be read'],
    ['[prop("Customers").first(), prop("Parents").first()].first().prop("Name")', 61, 'one of several data sources'],
    ['at([1, prop("Customers").first()], 1).prop("City")', 38, 'not of a value of any type'],
  ],
  types: [
    ['1 + true', 2, '`+` takes two Numbers, or Text on one side, not Number and Boolean'],
    ['1 + 2 + true', 6, 'not Number and Boolean'],
    ['"a" - 1', 4, '`-` takes two Numbers, not Text and Number'],
    ['1 * "2"', 2, '`*` takes two Numbers'],
    ['prop("Due") - 1', 12, 'not Date and Number'],
    ['-"a"', 0, '`-` takes a Number, not Text'],
    ['true ^ 2', 5, 'not Boolean and Number'],
    ['1 < "a"', 2, '`<` takes two Numbers, two Texts or two Dates, not Number and Text'],
    ['true < false', 5, 'not Boolean and Boolean'],
    ['1 < 2 < 3', 6, 'not Boolean and Number'],
    ['prop("Due") >= 1', 12, 'not Date and Number'],
    ['[1] < [2]', 4, 'not List and List'],
    ['if(true, 1, "a")', 12, 'expected Number, as in the branches before, found Text'],
    ['ifs(true, 1, false, 2, "a")', 23, 'expected Number, as in the branches before, found Text'],
    ['true ? 1 : "a"', 11, 'expected Number, as in the branches before, found Text'],
    ['true ? prop("Due") : now() == now()', 21, 'expected Date, as in the branches before, found Boolean'],
    ['upper(1)', 6, 'argument 1 of `upper` should be Text, not Number'],
    ['"a".substring("b")', 14, 'argument 2 of `substring` should be Number, not Text'],
    ['length(1)', 7, 'should be Text or List, not Number'],
    ['year("2026")', 5, 'should be Date, not Text'],
    ['sum(["a"])', 4, 'should be Number or List of Number, not List of Text'],
    ['sum(1, [true])', 7, 'not List of Boolean'],
    ['name("Ada")', 5, 'should be Person, not Text'],
    ['id("x")', 3, 'should be Page, not Text'],
    ['"abc".map(current)', 0, 'argument 1 of `map` should be List, not Text'],
    ['first("abc")', 6, 'should be List, not Text'],
    ['toNumber([1])', 9, 'not List of Number'],
    ['join("a", ",")', 5, 'should be List, not Text'],
    ['style("a", 1)', 11, 'should be Text, not Number'],
  ],
  'numbers of arguments': [
    ['if(true, 1)', 0, '`if` takes 3 arguments, not 2'],
    ['1 + if(true, 1, 2, 3)', 4, '`if` takes 3 arguments, not 4'],
    ['ifs(true)', 0, '`ifs` takes at least 2 arguments, not 1'],
    ['and(true)', 0, '`and` takes at least 2 arguments, not 1'],
    ['or()', 0, '`or` takes at least 2 arguments, not 0'],
    ['not()', 0, '`not` takes 1 argument, not 0'],
    ['not(1, 2)', 0, '`not` takes 1 argument, not 2'],
    ['empty(1, 2)', 0, '`empty` takes 0 to 1 argument, not 2'],
    ['let(x, 1)', 0, '`let` takes 3 arguments, not 2'],
    ['lets(x, 1, y, 2)', 0, 'names with their values'],
    ['lets(1)', 0, '`lets` takes at least 3 arguments, not 1'],
    ['concat([1])', 0, '`concat` takes at least 2 arguments, not 1'],
    ['now(1)', 0, '`now` takes no arguments, not 1'],
    ['substring("a")', 0, '`substring` takes 2 to 3 arguments, not 1'],
    ['sum()', 0, '`sum` takes at least 1 argument, not 0'],
    ['map([1])', 0, '`map` takes 2 arguments, not 1'],
    ['"a".upper(1)', 4, '`upper` takes 1 argument, not 2'],
    ['style()', 0, '`style` takes at least 1 argument, not 0'],
  ],
}

describe('a formula that does not compile', () => {
  it.each(Object.entries(faults))('has an error with position and reason: %s', (_group, rows) => {
    for (const [expression, position, words] of rows) {
      const { error } = compiler.compile(expression, TASKS)
      expect(error, expression).toBeDefined()
      expect({ expression, position: error?.position }).toEqual({ expression, position })
      expect(error?.message).toContain(words)
    }
  })

  it("has the compiler's message in the response", () => {
    const { error } = compiler.compile('prop("Gone")', TASKS)
    expect(error && claimOf(error)).toBe('should be a formula that compiles: the property "Gone" is unknown (character 5)')
  })
})

function formula(id: string, text: string): SchemaProperty {
  return { id, name: id, type: 'formula', expression: { form: 'written', text } }
}

function compilerOf(properties: readonly SchemaProperty[], others: readonly SchemaProperty[] = []): FormulaCompiler {
  const known = { here: { dataSourceId: 'here', properties }, there: { dataSourceId: 'there', properties: others } }
  return new FormulaCompiler((dataSourceId) =>
    dataSourceId === 'here' || dataSourceId === 'there' ? known[dataSourceId] : undefined,
  )
}

const relation = (id: string, relatedDataSourceId: string): SchemaProperty => ({
  id,
  name: id,
  type: 'relation',
  relatedDataSourceId,
})
const rollup = (id: string, relationPropertyId: string, propertyId: string): SchemaProperty => ({
  id,
  name: id,
  type: 'rollup',
  rollup: { function: 'count', relationPropertyId, propertyId },
})

describe('a formula that depends on itself', () => {
  it.each<[string, readonly SchemaProperty[], readonly SchemaProperty[]]>([
    ['by its own name', [formula('a', '1 + prop("a")')], []],
    ['through another formula', [formula('a', '1 + prop("b")'), formula('b', 'prop("a")')], []],
    ['through a long chain', [...chain(60), formula('f60', 'prop("a") + 1'), formula('a', '1 + prop("f0")')], []],
    ['on a related row', [formula('a', '1 + prop("up").map(current.prop("a")).sum()'), relation('up', 'here')], []],
    [
      'through a rollup of the same data source',
      [formula('a', '1 + prop("r")'), relation('up', 'here'), rollup('r', 'up', 'a')],
      [],
    ],
    [
      'through another data source',
      [formula('a', '1 + prop("r")'), relation('to', 'there'), rollup('r', 'to', 'b')],
      [formula('b', 'prop("back").map(current.prop("a")).length()'), relation('back', 'here')],
    ],
  ])('is refused: %s', (_way, properties, others) => {
    const compilation = compilerOf(properties, others).property('here', 'a')
    expect(compilation.error?.message).toContain('the formula depends on itself')
    expect(compilation.error && 'isCycle' in compilation && compilation.isCycle).toBe(true)
  })

  it('is refused at its reference to the next formula of the cycle', () => {
    const { error } = compilerOf([formula('a', '1 + prop("b")'), formula('b', 'prop("a")')]).property('here', 'a')
    expect(error).toEqual({ message: 'the formula depends on itself through "b"', position: 9 })
  })

  it('is refused at its reference to the next formula of a long cycle', () => {
    const { error } = compilerOf([formula('a', '1 + prop("f0")'), ...chain(60), formula('f60', 'prop("a") + 1')]).property(
      'here',
      'a',
    )
    expect(error).toEqual({ message: 'the formula depends on itself through "f0"', position: 9 })
  })

  it('differs from a formula used in two places without a cycle, which compiles', () => {
    const { formula: compiled } = compilerOf([
      formula('a', 'prop("b") + prop("c")'),
      formula('b', 'prop("c")'),
      formula('c', '1'),
    ]).property('here', 'a')
    expect(compiled?.resultType).toBe('number')
  })
})

/** `f0` uses `f1`, and so on. */
function chain(length: number): SchemaProperty[] {
  return Array.from({ length }, (_unused, index) => formula(`f${index}`, `prop("f${index + 1}") + 1`))
}

describe("the type of a formula's result", () => {
  it.each([
    ['1', 'number'],
    ['"a"', 'string'],
    ['true', 'boolean'],
    ['now()', 'date'],
    ['[1]', 'string'],
    ['prop("Author")', 'string'],
    ['prop("Customers").first()', 'string'],
    ['prop("Cost")', 'number'],
    ['prop("Owed")', 'number'],
    ['prop("Last visit")', 'date'],
    ['prop("Doubles").first()', 'number'],
    ['if(true, empty(), 1)', 'number'],
    ['empty()', undefined],
    ['', undefined],
    ['at([1, "a"], 0)', undefined],
    ['prop("Broken")', undefined],
    ['prop("Nothing")', undefined],
  ])('of %s is %s', (expression, type) => {
    expect(compiler.compile(expression, TASKS).formula?.resultType).toBe(type)
  })
})
