import type { Migration } from './migration.ts'

export const agents: Migration = {
  number: 21,
  name: 'agents',
  statements: () => [],
}
