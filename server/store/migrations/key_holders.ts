import type { Migration } from './migration.ts'

/**
 * The process that performs the request of a key without a response, by its number of `Presence`; null if others cannot tell whether it
 * lives.
 */
export const keyHolders: Migration = {
  number: 34,
  name: 'holders of idempotency keys',
  statements: () => [`alter table idempotency_keys add column holder integer`],
}
