import { asyncTasks } from './async_tasks.ts'
import { comments } from './comments.ts'
import { dataSourceTitles } from './data_source_titles.ts'
import { databases } from './databases.ts'
import { fileRemovals } from './file_removals.ts'
import { fileUploads } from './file_uploads.ts'
import { limits } from './limits.ts'
import type { Migration } from './migration.ts'
import { pageStructure } from './page_structure.ts'
import { peopleAndAuthorizations } from './people_and_authorizations.ts'
import { symbolKeys } from './symbol_keys.ts'
import { titleKey } from './title_key.ts'
import { titleNumbers } from './title_numbers.ts'
import { titlePicker } from './title_picker.ts'
import { titleWalk } from './title_walk.ts'
import { titles } from './titles.ts'
import { titlesInTrash } from './titles_in_trash.ts'
import { viewQueries } from './view_queries.ts'
import { views } from './views.ts'
import { workspaceContent } from './workspace_content.ts'

/** Every step of the schema, oldest first. */
export const migrations: readonly Migration[] = [
  workspaceContent,
  peopleAndAuthorizations,
  limits,
  asyncTasks,
  comments,
  pageStructure,
  titles,
  databases,
  fileUploads,
  views,
  dataSourceTitles,
  fileRemovals,
  titlesInTrash,
  titleWalk,
  viewQueries,
  titlePicker,
  symbolKeys,
  titleNumbers,
  titleKey,
]
