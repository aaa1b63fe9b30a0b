import type { Reporter, TestModule } from 'vitest/node'
import { whyNoChromium, whyNoRedis } from './programs.ts'

interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** Ends the output of a run with one plain line, `N passed, N failed`, followed by the number of skipped tests, if any, and the reason. */
export default class PlainReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: string): number => tests.filter((test) => test.result().state === state).length
    // A file that cannot be loaded has no tests to count.
    const broken = modules.filter((module) => module.errors().length > 0).length
    const counts = {
      passed: count('passed'),
      failed: count('failed') + broken + unhandledErrors.length,
      skipped: count('skipped'),
    }
    const line = lastLine(counts, { 'with Redis': whyNoRedis(), 'in a browser': whyNoChromium() })
    process.once('exit', () => void process.stdout.write(`${line}\n`))
  }
}

/** @param reasons by kind of test, why it is skipped; undefined if it is not */
export function lastLine({ passed, failed, skipped }: Counts, reasons: Readonly<Record<string, string | undefined>>): string {
  const plain = `${passed} passed, ${failed} failed`
  if (skipped === 0) return plain
  const reasonTexts = Object.entries(reasons).flatMap(([kind, reason]) =>
    reason === undefined ? [] : [`tests ${kind}: ${reason.replaceAll(/\s+/g, ' ')}`],
  )
  return `${plain}, ${skipped} skipped${reasonTexts.length === 0 ? '' : ` (${reasonTexts.join('; ')})`}`
}
