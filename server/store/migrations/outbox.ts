import type { Migration } from './migration.ts'

export const outbox: Migration = {
  number: 24,
  name: 'outbox',
  statements: () => [],
}
