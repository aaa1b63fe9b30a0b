import type { Reporter, TestModule } from 'vitest/node'

/** Ends a run with one plain line, `N passed, N failed`, whatever else is printed before it. */
export default class PlainReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const passed = tests.filter((test) => test.result().state === 'passed').length
    const failed = tests.filter((test) => test.result().state === 'failed').length
    // A file that cannot even be loaded has no tests to count.
    const broken = modules.filter((module) => module.errors().length > 0).length
    process.once('exit', () => process.stdout.write(`${passed} passed, ${failed + broken + unhandledErrors.length} failed\n`))
  }
}
