import { titleWalkSchema } from '../dialects/title_keys.ts'
import type { Migration } from './migration.ts'

/** The index in the order of edits holds all that a search looks at. */
export const titleWalk: Migration = {
  name: 'title walk',
  statements: (_types, engine) => titleWalkSchema[engine],
}
