import { describe, expect, it } from 'vitest'
import {
  complaints,
  expressionsOfCode,
  expressionsOfContract,
  isException,
  recorded,
  recordedExpressions,
} from './support/linear_time.ts'

// If you are here because an expression is listed: for some input its time grows quadratically or worse. Start a run of characters only at
// its beginning, as in `(?<!X)X+$`; adjacent parts must not match the same characters; or search with `indexOf` and `split`. An exception
// is only for an input that is never longer than 1 kB, or that no caller can choose. An expression is analyzed until it is in the record,
// which `regular_expressions.all.test.ts` checks and writes.
describe('the check that regular expressions take linear time', () => {
  const known = recordedExpressions()

  it('finds no slower one in the packages and fakes/', async () => {
    const all = expressionsOfCode()
    expect(all.length).toBeGreaterThan(350)
    const changed = all.filter((expression) => !isException(expression) && !known.has(recorded(expression)))
    expect(await complaints(changed)).toStrictEqual([])
  })

  it('finds no slower one in the patterns of the contract', async () => {
    const all = expressionsOfContract()
    expect(all.length).toBeGreaterThan(10)
    expect(await complaints(all.filter((expression) => !known.has(recorded(expression))))).toStrictEqual([])
  })

  it('reports an expression that takes quadratic time', async () => {
    const slow = { location: 'here', source: 'X+$', flags: '' }
    expect(known.has(recorded(slow))).toBe(false)
    expect(await complaints([slow])).toEqual([expect.stringContaining('here /X+$/: ')])
  })
})
