import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changedLines } from '../../server/domain/content/markdown/diff/changed_lines.ts'

const RUNS = Number(process.env['RUNS'] ?? 200)

const numbered = (count: number): string[] => Array.from({ length: count }, (_line, index) => `line ${index}`)

/** Few different lines, so that many are equal by chance. */
const texts = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 })

describe('changedLines', () => {
  it('finds ranges outside of which all lines of two texts are equal', () => {
    fc.assert(
      fc.property(texts, texts, (old, fresh) => {
        let [made, at, freshAt]: [string[], number, number] = [[], 0, 0]
        for (const location of changedLines(old, fresh)) {
          expect([location.old.start - at, location.old.start >= at]).toStrictEqual([location.fresh.start - freshAt, true])
          made = [...made, ...old.slice(at, location.old.start), ...fresh.slice(location.fresh.start, location.fresh.end)]
          at = location.old.end
          freshAt = location.fresh.end
        }
        expect([...made, ...old.slice(at)]).toStrictEqual(fresh)
      }),
      { numRuns: RUNS },
    )
  })

  it('reports distant changes as separate ranges, whether lines are replaced, added or removed', () => {
    const old = numbered(500)
    const fresh = ['first', ...old.slice(1, 200), 'new', 'newer', ...old.slice(200, 400), ...old.slice(403, 499), 'last']
    expect(changedLines(old, fresh)).toStrictEqual([
      { old: { start: 0, end: 1 }, fresh: { start: 0, end: 1 } },
      { old: { start: 200, end: 200 }, fresh: { start: 200, end: 202 } },
      { old: { start: 400, end: 403 }, fresh: { start: 402, end: 402 } },
      { old: { start: 499, end: 500 }, fresh: { start: 498, end: 499 } },
    ])
  })

  it('reports one range up to the common end if the texts do not align again soon', () => {
    const old = numbered(500)
    const fresh = [
      'first',
      ...old.slice(1, 100),
      ...numbered(200).map((line) => `new ${line}`),
      ...old.slice(100, 498),
      'end',
      'line 499',
    ]
    expect(changedLines(old, fresh)).toStrictEqual([
      { old: { start: 0, end: 1 }, fresh: { start: 0, end: 1 } },
      { old: { start: 100, end: 499 }, fresh: { start: 100, end: 699 } },
    ])
  })
})
