import type { Migration } from './migration.ts'

export const webhooks: Migration = {
  number: 25,
  name: 'webhooks',
  statements: () => [],
}
