import type { Tried } from './run.ts'

const FAULT_LENGTH_MAX = 300

/** How a test runner prints the names of passed and failed tests, and the reason of a failure. */
interface Format {
  readonly passed: RegExp
  readonly failed: RegExp
  /** The lines that explain a failure, given its name. */
  readonly fault: (output: string, name: string) => string
}

const FORMATS: readonly Format[] = [
  // Programs of this folder.
  {
    passed: /^ok (.+)$/gm,
    failed: /^not ok (.+?)(?:: .*)?$/gm,
    fault: (output, name) => after(output, `not ok ${name}: `, '\n'),
  },
  // cargo test
  {
    passed: /^test (\S+) \.\.\. ok$/gm,
    failed: /^test (\S+) \.\.\. FAILED$/gm,
    fault: (output, name) =>
      after(output, `---- ${name} stdout ----`, '\n\n----', 'stack backtrace:', '\nnote:', '\n\nfailures:'),
  },
  // PHPUnit with --testdox
  {
    passed: /^ ✔ (.+)$/gm,
    failed: /^ ✘ (.+)$/gm,
    fault: (output, name) => after(output, ` ✘ ${name}`, '\n\n', '\n ✔', '\n ✘').replaceAll(/[│┐├┴]/g, ' '),
  },
]

/** The results of a test run or program, with the runner's messages. */
export function readOutput(output: string): Tried[] {
  return FORMATS.flatMap(({ passed, failed, fault }) => [
    ...names(output, passed).map((name) => ({ name })),
    ...names(output, failed).map((name) => ({ name, fault: short(fault(output, name)) })),
  ])
}

function names(output: string, pattern: RegExp): string[] {
  return [...output.matchAll(pattern)].map(([, name]) => name ?? '')
}

/** The text after a start, up to the first of the ends. */
function after(output: string, start: string, ...ends: readonly string[]): string {
  const from = output.indexOf(start)
  if (from === -1) return ''
  const rest = output.slice(from + start.length)
  const found = ends.map((end) => rest.indexOf(end)).filter((location) => location > 0)
  return rest.slice(0, found.length > 0 ? Math.min(...found) : undefined)
}

function short(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, FAULT_LENGTH_MAX) || 'no reason printed'
}
