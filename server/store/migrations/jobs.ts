import type { Migration } from './migration.ts'

export const jobs: Migration = {
  number: 20,
  name: 'jobs',
  statements: () => [],
}
