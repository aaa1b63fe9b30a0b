import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { check } from 'recheck'
import { describe, expect, it } from 'vitest'
import { regularExpressionsIn, type RegularExpression } from './support/regular_expressions.ts'
import { sourceFiles, workspaces } from '../../scripts/workspaces.ts'

const root = resolve(import.meta.dirname, '../..')
/** Much longer than any analysis takes that ends at all. */
const TIMEOUT_MS = 120_000
/** An attack is judged by the steps that it takes: by the clock, a busy machine makes expressions slow that are not. */
const BY_STEPS = { attackTimeout: null, incubationTimeout: null, seedingTimeout: null } as const
/** Characters of an attack that are shown. */
const ATTACK_LENGTH = 100

/** Expressions that the analysis cannot clear, by file and beginning of their source, and why no input makes them slow. */
const EXCEPTIONS: readonly (readonly [file: string, source: string, reason: string])[] = [
  ['client/src/request.ts', '', 'It is one of the patterns of the contract, which are analyzed below.'],
  ['server/kernel/words.ts', '[[', 'The analysis does not know the flag v. No two alternatives match the same first character.'],
  ['server/domain/markdown/parse/parse_spans.ts', '^(?:(?:[-*+]', 'It matches once, at most 20 markers, each read in one way.'],
]

/** Without an unbounded quantifier the number of steps at one position has a bound. */
const UNBOUNDED = /[*+]|\{\d+,\}/

/** What the analysis holds against an expression; undefined if its time is linear in the length of any input. */
async function complaint({ location, source, flags }: RegularExpression, timeout: number): Promise<string | undefined> {
  if (source === undefined) return `${location} is built at run time`
  if (!UNBOUNDED.test(source)) return undefined
  const found = await check(source, flags, { ...BY_STEPS, timeout })
  if (found.status === 'safe') return undefined
  const reason =
    found.status === 'unknown'
      ? found.error.kind
      : `${found.complexity.summary}, as with ${found.attack.pattern.slice(0, ATTACK_LENGTH)}`
  return `${location} /${source}/${flags}: ${reason}`
}

const isException = ({ location, source }: RegularExpression, exceptions = EXCEPTIONS): boolean =>
  exceptions.some(([file, start]) => location.startsWith(`${file}:`) && (source ?? '').startsWith(start))

async function complaints(expressions: readonly RegularExpression[], timeout = TIMEOUT_MS): Promise<string[]> {
  const found: string[] = []
  for (const expression of expressions) {
    const problem = await complaint(expression, timeout)
    if (problem !== undefined) found.push(problem)
  }
  return found
}

/** Every `pattern` in a document. */
function patternsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'pattern' && typeof inner === 'string' ? [inner] : patternsIn(inner),
  )
}

// If you are here because an expression is listed: some input makes its time grow with the square of its length or worse. Begin a run
// of characters only where it begins, as in `(?<!X)X+$`; let no two neighbouring parts match the same characters; or search with
// `indexOf` and `split`. An exception is only for an input that is never longer than 1 kB, or that no caller can choose.
describe('regular expressions take linear time', () => {
  const files = sourceFiles(['fakes', ...workspaces], ['ts', 'js'])
  const all = files.flatMap((file) => regularExpressionsIn(root, file))

  it('in the packages and fakes/', async () => {
    expect(all.length).toBeGreaterThan(350)
    expect(await complaints(all.filter((expression) => !isException(expression)))).toStrictEqual([])
  })

  it('in the patterns of the contract', async () => {
    const patterns = ['openapi', 'control'].flatMap((name) =>
      patternsIn(JSON.parse(readFileSync(resolve(root, `generated/${name}.json`), 'utf8'))),
    )
    expect(patterns.length).toBeGreaterThan(10)
    const expressions = [...new Set(patterns)].map((source) => ({ location: 'spec', source, flags: 'u' }))
    expect(await complaints(expressions)).toStrictEqual([])
  })

  it('and every exception is one that the analysis complains of', async () => {
    const needed = await Promise.all(
      EXCEPTIONS.map((exception) =>
        complaints(
          all.filter((expression) => isException(expression, [exception])),
          2_000,
        ),
      ),
    )
    expect(EXCEPTIONS.filter((_exception, index) => needed[index]?.length === 0)).toStrictEqual([])
  })
})
