import { engine, type Register } from './databases.ts'

/**
 * Whether this is `npm run test:all` or `npm run test:crash`, which also run slow tests that repeat an example or cover rarely changed
 * code.
 */
export const isLongRun = process.env['LONG_RUN'] !== undefined

/** `describe` or `it` for tests that only long runs register. */
export function inLongRuns(register: Register): Register {
  return isLongRun ? register : () => undefined
}

/** Whether to test what does not depend on the engine: on PostgreSQL only in long runs. */
export const checksRules = isLongRun || engine === 'sqlite'

/** `describe` or `it` for what does not depend on the engine. */
export function withoutSql(register: Register): Register {
  return checksRules ? register : () => undefined
}

/** All rows in long runs, otherwise the first ones. */
export function someRows<T>(rows: readonly T[], usual = 1): readonly T[] {
  return isLongRun ? rows : rows.slice(0, usual)
}
