import type { Reporter, TestModule } from 'vitest/node'
import { whyNoRedis } from './programs.ts'

/** Ends the output of a run with one plain line, `N passed, N failed`, with the number of skipped tests and, before it, the reason. */
export default class PlainReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const passed = tests.filter((test) => test.result().state === 'passed').length
    const skipped = tests.filter((test) => test.result().state === 'skipped').length
    const failed = tests.filter((test) => test.result().state === 'failed').length
    // A file that cannot be loaded has no tests to count.
    const broken = modules.filter((module) => module.errors().length > 0).length
    const reason = whyNoRedis()
    const end = skipped === 0 ? '' : `, ${skipped} skipped`
    process.once('exit', () => {
      if (skipped > 0 && reason !== undefined) process.stdout.write(`Skipped: tests of budgets in Redis (${reason}).\n`)
      process.stdout.write(`${passed} passed, ${failed + broken + unhandledErrors.length} failed${end}\n`)
    })
  }
}
