import type { Migration } from './migration.ts'

export const meetingNotes: Migration = {
  number: 23,
  name: 'meeting notes',
  statements: () => [],
}
