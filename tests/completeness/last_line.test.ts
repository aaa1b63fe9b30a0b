import { expect, it } from 'vitest'
import { lastLine } from '../harness/plain_reporter.ts'

const REASON = 'redis-server is not installed; install it to run them'
const none = { 'with Redis': undefined, 'in a browser': undefined }

it.each([
  [{ passed: 12, failed: 0, skipped: 0 }, none, '12 passed, 0 failed'],
  [{ passed: 12, failed: 3, skipped: 0 }, { ...none, 'with Redis': REASON }, '12 passed, 3 failed'],
  [{ passed: 12, failed: 3, skipped: 4 }, none, '12 passed, 3 failed, 4 skipped'],
  [
    { passed: 12, failed: 0, skipped: 4 },
    { ...none, 'with Redis': `no\n${REASON}` },
    `12 passed, 0 failed, 4 skipped (tests with Redis: no ${REASON})`,
  ],
  [
    { passed: 12, failed: 0, skipped: 9 },
    { 'with Redis': 'no Redis', 'in a browser': 'no Chromium' },
    '12 passed, 0 failed, 9 skipped (tests with Redis: no Redis; tests in a browser: no Chromium)',
  ],
])('the last line of a run reports which tests were skipped and why: %o, %o', (counts, reasons, line) => {
  expect(lastLine(counts, reasons)).toBe(line)
})
