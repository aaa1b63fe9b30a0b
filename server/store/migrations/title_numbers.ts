import { titleNumbersSchema } from '../dialects/title_keys.ts'
import type { Migration } from './migration.ts'

/** What the index of words finds is looked up by its number. */
export const titleNumbers: Migration = {
  name: 'title numbers',
  statements: (_types, engine) => titleNumbersSchema[engine],
}
