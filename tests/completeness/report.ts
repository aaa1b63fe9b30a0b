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
 * Prints every declared status of an operation that no test has caused, and compares the list with `untested.json`, which may only shrink.
 * Rules in `unreachable.ts` are excluded. Does the same for every word of an enumeration and every limit, with `unmet_values.json`.
 * @param filesRun test files of this run; a partial run, or one on a single engine, is not evaluated
 * @throws Error for untested statuses that are not listed
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
  // If you are here because one of these was thrown: write a test that causes the status of this operation, sends or reads the word, or
  // exceeds the limit. Only if no request can, add a rule with its reason to unreachable.ts or unmet.ts. Do not extend the lists.
  refuseGrowth([...untested, ...codes], UNTESTED)
  refuseGrowth(unmet, UNMET)
}

/** Error codes specific to an operation, apart from those of every call or every write. */
function rareErrorCodes(): string[] {
  const ofAll = new Set<string>([...OF_EVERY_CALL, ...OF_WRITES, ...OF_CLIENTS])
  return Object.values(publicContract().paths).flatMap((item) =>
    Object.values(item).flatMap(({ operationId, 'x-error-codes': codes = [] }) =>
      codes.filter((code) => !ofAll.has(code)).map((code) => `${operationId ?? ''} ${code}`),
    ),
  )
}

/** @throws Error for missing entries of a list that may only shrink */
function refuseGrowth(missing: readonly string[], list: URL): void {
  const name = list.pathname.split('/').at(-1) ?? ''
  const listed = JSON.parse(readFileSync(list, 'utf8')) as string[]
  const grown = missing.filter((entry) => !listed.includes(entry))
  const stale = listed.filter((entry) => !missing.includes(entry))
  if (grown.length > 0) throw new Error(`No test meets these, and ${name} does not list them:\n${grown.join('\n')}`)
  if (stale.length > 0) process.stdout.write(`Tested by now, to be taken out of ${name}: ${stale.join(', ')}\n`)
}

/** The records that tests write for every word and limit that callers can meet (see harness/seen_values.ts). */
function declaredNotes(): string[] {
  const requests = declaredValues('request')
  const words = (['request', 'response', 'event'] as const).flatMap((direction) =>
    [...declaredValues(direction).words].flatMap(([name, known]) =>
      [...known].filter((word) => !wordUnmetBecause(direction, name, word)).map((word) => `${direction} ${name} ${word}`),
    ),
  )
  const limits = [...requests.limits].flatMap(([name, known]) =>
    known.filter((limit) => !limitUnmetBecause(name, limit)).map(({ keyword, value }) => `limit ${name} ${keyword}=${value}`),
  )
  return [...words, ...limits]
}

/** Whether the run included every test of an operation, on both engines. Long runs only repeat what others cause. */
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
