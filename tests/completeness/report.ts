import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { operations, type Operation } from '../../generated/operations.ts'
import { isUnreachable } from './unreachable.ts'

const UNTESTED = new URL('./untested.json', import.meta.url)

/**
 * Prints every declared operation × status that no test has met, and holds it against
 * `untested.json`, which may only shrink. What `unreachable.ts` rules out is left aside.
 * @param filesRun test files of this run; a run of some files or on one engine only says nothing and is passed over
 * @throws Error for a pair that is untested but not listed
 */
export function reportUntested(seenFolder: string, filesRun: readonly string[], projectsRun: readonly string[]): void {
  if (!isWholeRun(filesRun, projectsRun)) return
  const seen = new Set(readdirSync(seenFolder).flatMap((file) => readFileSync(`${seenFolder}/${file}`, 'utf8').split('\n')))
  const served: Operation[] = Object.values(operations)
  const untested = served
    .flatMap((operation) =>
      operation.statuses.filter((status) => !isUnreachable(operation, status)).map((status) => `${operation.id} ${status}`),
    )
    .filter((pair) => !seen.has(pair))
  process.stdout.write(`\nOperation and status without a test: ${untested.length}\n${byStatus(untested)}\n`)
  const listed = JSON.parse(readFileSync(UNTESTED, 'utf8')) as string[]
  const grown = untested.filter((pair) => !listed.includes(pair))
  const stale = listed.filter((pair) => !untested.includes(pair))
  // If you are here because this was thrown: write a test that meets the status at this operation. Where no request can (and
  // only there), add a rule with its reason to unreachable.ts. untested.json stays as short as it is.
  if (grown.length > 0)
    throw new Error(`No test meets these, and tests/completeness/untested.json does not list them: ${grown.join(', ')}`)
  if (stale.length > 0)
    process.stdout.write(`Tested by now, to be taken out of tests/completeness/untested.json: ${stale.join(', ')}\n`)
}

/** Whether every test of an operation was part of the run, on both engines. */
function isWholeRun(filesRun: readonly string[], projectsRun: readonly string[]): boolean {
  if (!['sqlite', 'postgresql'].every((name) => projectsRun.includes(name))) return false
  const tests = fileURLToPath(new URL('../', import.meta.url))
  const wanted = ['operations', 'protocol', 'access', 'limits', 'process', 'oauth'].flatMap((folder) =>
    readdirSync(`${tests}${folder}`, { recursive: true, encoding: 'utf8' }).map((file) => `${tests}${folder}/${file}`),
  )
  return wanted.filter((file) => file.endsWith('.test.ts')).every((file) => filesRun.includes(file))
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
