import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { operations, type Operation } from '../../generated/operations.ts'
import { OF_CLIENTS, OF_EVERY_CALL, OF_WRITES } from '../../scripts/generate/operation_errors.ts'
import { publicContract } from '../harness/contract.ts'
import { isUnreachable } from './unreachable.ts'
import { limitUnmetBecause, wordUnmetBecause } from './unmet.ts'
import { declaredValues } from './values.ts'

const UNTESTED = new URL('./untested.json', import.meta.url)
const OF_LONG_RUNS = /\.all\./
const UNMET = new URL('./unmet_values.json', import.meta.url)

/**
 * Prints every declared operation × status that no test has met, and holds it against
 * `untested.json`, which may only shrink. What `unreachable.ts` rules out is left aside.
 * The same with every word of an enumeration and every limit, and `unmet_values.json`.
 * @param filesRun test files of this run; a run of some files or on one engine only says nothing and is passed over
 * @throws Error for what is untested but not listed
 */
export function reportUntested(seenFolder: string, filesRun: readonly string[], projectsRun: readonly string[]): void {
  if (!isWholeRun(filesRun, projectsRun)) return
  const seen = new Set(readdirSync(seenFolder).flatMap((file) => readFileSync(`${seenFolder}/${file}`, 'utf8').split('\n')))
  const isLong = filesRun.some((file) => OF_LONG_RUNS.test(file))
  const served: Operation[] = Object.values(operations)
  const untested = served
    .flatMap((operation) =>
      operation.statuses
        .filter((status) => !isUnreachable(operation, status, isLong))
        .map((status) => `${operation.id} ${status}`),
    )
    .filter((pair) => !seen.has(pair))
  const codes = rareErrorCodes().filter((pair) => !seen.has(pair))
  process.stdout.write(`Operation and error code without a test: ${codes.length}\n`)
  process.stdout.write(`\nOperation and status without a test: ${untested.length}\n${byStatus(untested)}\n`)
  const unmet = declaredNotes().filter((note) => !seen.has(note))
  process.stdout.write(
    `Words and limits of the contract that no test met: ${unmet.length}\n${unmet.map((note) => `  ${note}\n`).join('')}`,
  )
  // If you are here because one of these was thrown: write a test that meets the status at this operation, sends or reads the word,
  // or goes one beyond the limit. Where no request can (and only there), add a rule with its reason to unreachable.ts or unmet.ts.
  // The lists stay as short as they are.
  refuseGrowth([...untested, ...codes], UNTESTED)
  refuseGrowth(unmet, UNMET)
}

/** Error codes that follow from what an operation does, beside those that every call or every write can meet. */
function rareErrorCodes(): string[] {
  const ofAll = new Set<string>([...OF_EVERY_CALL, ...OF_WRITES, ...OF_CLIENTS])
  return Object.values(publicContract().paths).flatMap((item) =>
    Object.values(item).flatMap(({ operationId, 'x-error-codes': codes = [] }) =>
      codes.filter((code) => !ofAll.has(code)).map((code) => `${operationId ?? ''} ${code}`),
    ),
  )
}

/** @throws Error for what is missing from a list that may only shrink */
function refuseGrowth(missing: readonly string[], list: URL): void {
  const name = list.pathname.split('/').at(-1) ?? ''
  const listed = JSON.parse(readFileSync(list, 'utf8')) as string[]
  const grown = missing.filter((entry) => !listed.includes(entry))
  const stale = listed.filter((entry) => !missing.includes(entry))
  if (grown.length > 0) throw new Error(`No test meets these, and ${name} does not list them:\n${grown.join('\n')}`)
  if (stale.length > 0) process.stdout.write(`Tested by now, to be taken out of ${name}: ${stale.join(', ')}\n`)
}

/** What tests note of every word and limit that callers can meet (see harness/seen_values.ts). */
function declaredNotes(): string[] {
  const requests = declaredValues('request')
  const words = (['request', 'answer', 'event'] as const).flatMap((direction) =>
    [...declaredValues(direction).words].flatMap(([name, known]) =>
      [...known].filter((word) => !wordUnmetBecause(direction, name, word)).map((word) => `${direction} ${name} ${word}`),
    ),
  )
  const limits = [...requests.limits].flatMap(([name, known]) =>
    known.filter((limit) => !limitUnmetBecause(name, limit)).map(({ keyword, value }) => `limit ${name} ${keyword}=${value}`),
  )
  return [...words, ...limits]
}

/** Whether every test of an operation was part of the run, on both engines. Those of long runs repeat what others meet. */
function isWholeRun(filesRun: readonly string[], projectsRun: readonly string[]): boolean {
  if (!['sqlite', 'postgresql'].every((name) => projectsRun.includes(name))) return false
  const tests = fileURLToPath(new URL('../', import.meta.url))
  const wanted = ['operations', 'protocol', 'access', 'limits', 'process', 'oauth', 'events'].flatMap((folder) =>
    readdirSync(`${tests}${folder}`, { recursive: true, encoding: 'utf8' }).map((file) => `${tests}${folder}/${file}`),
  )
  const ofEveryRun = wanted.filter((file) => file.endsWith('.test.ts') && !OF_LONG_RUNS.test(file))
  return ofEveryRun.every((file) => filesRun.includes(file))
}

function byStatus(pairs: readonly string[]): string {
  const statuses = [...new Set(pairs.map((pair) => pair.split(' ')[1] ?? ''))].sort()
  return statuses
    .map(
      (status) =>
        `  ${status}  ${pairs
          .filter((pair) => pair.endsWith(` ${status}`))
          .map((pair) => pair.split(' ')[0])
          .join(' ')}`,
    )
    .join('\n')
}
