/** The words and limits of the contract that the completeness report counts, anywhere in a schema. */

import { expect, test } from 'vitest'
import { Finder } from './values.ts'

/** Words and limits by name, as `name word` and `name keyword=value`. */
function valuesIn(schema: object): string[] {
  const finder = new Finder()
  finder.schema(schema, 'body')
  return [
    ...[...finder.words].flatMap(([name, words]) => [...words].map((word) => `${name} ${JSON.stringify(word)}`)),
    ...[...finder.limits].flatMap(([name, limits]) => limits.map(({ keyword, value }) => `${name} ${keyword}=${value}`)),
  ]
}

const rows: readonly (readonly [title: string, schema: object, values: readonly string[]])[] = [
  [
    'numbers, booleans and null of an enumeration',
    { enum: ['a', 1, true, null] },
    ['body "a"', 'body 1', 'body true', 'body null'],
  ],
  ['a constant number', { properties: { status: { const: 404 } } }, ['status 404']],
  ['keys of a map', { propertyNames: { minLength: 1, enum: ['x'] } }, ['body (keys) "x"', 'body (keys) minLength=1']],
  [
    'other entries',
    { additionalProperties: { maxLength: 5 }, unevaluatedProperties: { maximum: 9 } },
    ['* maxLength=5', '* maximum=9'],
  ],
  ['entries by pattern', { patternProperties: { '^x': { minItems: 2 } } }, ['* minItems=2']],
  ['excluded values', { not: { const: 'a' }, if: { not: { maxItems: 3 } } }, ['body "a"', 'body maxItems=3']],
  [
    'items',
    { items: { maximum: 1 }, prefixItems: [{ minimum: 2 }], contains: { maxLength: 3 } },
    ['body maximum=1', 'body minimum=2', 'body maxLength=3'],
  ],
  ['dependent schemas', { dependentSchemas: { a: { properties: { b: { maxProperties: 0 } } } } }, ['b maxProperties=0']],
  ['bounds of numbers', { exclusiveMinimum: 0, multipleOf: 5 }, ['body exclusiveMinimum=0', 'body multipleOf=5']],
  [
    'a property named like a keyword',
    { properties: { enum: { maxLength: 4 }, contains: { const: 7 } } },
    ['contains 7', 'enum maxLength=4'],
  ],
  ['the length of a pattern', { pattern: '^[A-Za-z0-9._~-]{43,128}$' }, ['body minLength=43', 'body maxLength=128']],
  ['the length of one alternative', { pattern: '^(?:"[!-~]{1,9}"|[!-~]{2,8})$' }, ['body minLength=2', 'body maxLength=8']],
  ['a length of an optional part', { pattern: '^(?:[a-z]{43})?$' }, ['body minLength=43', 'body maxLength=43']],
  ['a pattern of several parts', { pattern: '^[a-z]{2}-[a-z]{3}$' }, []],
]

test.each(rows)('the values to test are read from a schema: %s', (_title, schema, values) =>
  expect(valuesIn(schema).toSorted()).toEqual(values.toSorted()),
)

test('an unknown schema keyword is refused', () => {
  expect(() => valuesIn({ minContains: 2 })).toThrow('Nothing says what minContains means')
})
