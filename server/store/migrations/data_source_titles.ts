import { dataSourceTitlesSchema } from '../dialects/title_keys.ts'
import type { Migration } from './migration.ts'

/** What search knows of data sources follows their blocks. */
export const dataSourceTitles: Migration = {
  name: 'data source titles',
  statements: (_types, engine) => dataSourceTitlesSchema[engine],
}
