import { titleWordsSchema } from '../dialects/title_words_schema.ts'
import type { Migration } from './migration.ts'

/** Finds titles by a table of their words instead of a full-text index. */
export const titleWords: Migration = {
  number: 38,
  name: 'words of titles',
  statements: (_types, engine) => titleWordsSchema[engine],
}
