import type { Migration } from './migration.ts'

export const sessions: Migration = {
  number: 22,
  name: 'sessions',
  statements: () => [],
}
