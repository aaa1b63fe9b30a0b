import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { check } from 'recheck'
import { regularExpressionsIn, type RegularExpression } from './regular_expressions.ts'
import { sourceFiles, workspaces } from '../../../scripts/workspaces.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
/** Expressions found to take linear time, as `/source/flags`. Analyzing one takes half a second. */
export const RECORD = resolve(import.meta.dirname, 'linear_expressions.json')
/** Much longer than any analysis that ends. */
const TIMEOUT_MS = 120_000
/** An attack is judged by its steps: judged by time, harmless expressions would appear slow on a busy machine. */
const BY_STEPS = { attackTimeout: null, incubationTimeout: null, seedingTimeout: null } as const
/** The number of characters of an attack to show. */
const ATTACK_LENGTH = 100
/** Without an unbounded quantifier the number of steps at one position is bounded. */
const UNBOUNDED = /[*+]|\{\d+,\}/

/** Expressions that the analysis reports, by file and beginning of their source, with the reasons why no input makes them slow. */
export const EXCEPTIONS: readonly (readonly [file: string, source: string, reason: string])[] = [
  ['client/src/request.ts', '', 'It is one of the patterns of the contract, which are analyzed below.'],
  ['server/kernel/words.ts', '[[', 'The analysis does not know the flag v. No two alternatives match the same first character.'],
  [
    'server/domain/content/markdown/parse/parse_spans.ts',
    '^(?:(?:[-*+]',
    'It matches once, at most 20 markers, each read in one way.',
  ],
]

export const isException = ({ location, source }: RegularExpression, exceptions = EXCEPTIONS): boolean =>
  exceptions.some(([file, start]) => location.startsWith(`${file}:`) && (source ?? '').startsWith(start))

/** Expressions of the packages and `fakes/`. */
export function expressionsOfCode(): RegularExpression[] {
  const files = sourceFiles(['fakes', ...workspaces], ['ts', 'js'])
  return files.flatMap((file) => regularExpressionsIn(ROOT, file))
}

export function expressionsOfContract(): RegularExpression[] {
  const patterns = ['openapi', 'control'].flatMap((name) =>
    patternsIn(JSON.parse(readFileSync(resolve(ROOT, `generated/${name}.json`), 'utf8'))),
  )
  return [...new Set(patterns)].map((source) => ({ location: 'spec', source, flags: 'u' }))
}

/** Every `pattern` in a document. */
function patternsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'pattern' && typeof inner === 'string' ? [inner] : patternsIn(inner),
  )
}

/** The recorded form of an expression that takes linear time. */
export const recorded = ({ source, flags }: RegularExpression): string => `/${source}/${flags}`

export const needsAnalysis = ({ source }: RegularExpression): boolean => source === undefined || UNBOUNDED.test(source)

export function recordedExpressions(): ReadonlySet<string> {
  return new Set(existsSync(RECORD) ? (JSON.parse(readFileSync(RECORD, 'utf8')) as string[]) : [])
}

/** The analysis' findings for expressions whose time is not linear in the length of every input. */
export async function complaints(expressions: readonly RegularExpression[], timeout = TIMEOUT_MS): Promise<string[]> {
  const found: string[] = []
  for (const expression of expressions.filter(needsAnalysis)) {
    const problem = await complaint(expression, timeout)
    if (problem !== undefined) found.push(problem)
  }
  return found
}

async function complaint({ location, source, flags }: RegularExpression, timeout: number): Promise<string | undefined> {
  if (source === undefined) return `${location} is built at run time`
  const found = await check(source, flags, { ...BY_STEPS, timeout })
  if (found.status === 'safe') return undefined
  const reason =
    found.status === 'unknown'
      ? found.error.kind
      : `${found.complexity.summary}, as with ${found.attack.pattern.slice(0, ATTACK_LENGTH)}`
  return `${location} /${source}/${flags}: ${reason}`
}
