import type { Migration } from './migration.ts'

/**
 * For a key without a response, the process that performs the request, by its number in `Presence`; null if other processes cannot tell
 * whether it is alive.
 */
export const keyHolders: Migration = {
  number: 34,
  name: 'holders of idempotency keys',
  statements: () => [`alter table idempotency_keys add column holder integer`],
}
