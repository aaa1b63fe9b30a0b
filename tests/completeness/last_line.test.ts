import { expect, it } from 'vitest'
import { lastLine } from '../harness/plain_reporter.ts'

const REASON = 'redis-server is not installed; install it to run them'

it.each([
  [{ passed: 12, failed: 0, skipped: 0 }, undefined, '12 passed, 0 failed'],
  [{ passed: 12, failed: 3, skipped: 0 }, REASON, '12 passed, 3 failed'],
  [{ passed: 12, failed: 3, skipped: 4 }, undefined, '12 passed, 3 failed, 4 skipped'],
  [{ passed: 12, failed: 0, skipped: 4 }, `no\n${REASON}`, `12 passed, 0 failed, 4 skipped (tests with Redis: no ${REASON})`],
])('the last line of a run says what was skipped and why: %o, %s', (counts, reason, line) => {
  expect(lastLine(counts, reason)).toBe(line)
})
