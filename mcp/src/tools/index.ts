import type { Tool } from '../tool.ts'
import { attachFile } from './attach_file.ts'
import { addComment, listComments } from './comments.ts'
import { createPage } from './create_page.ts'
import { createRows } from './create_rows.ts'
import { describeDataSource } from './describe_data_source.ts'
import { editPage } from './edit_page.ts'
import { listUsers } from './list_users.ts'
import { movePage } from './move_page.ts'
import { queryRows } from './query_rows.ts'
import { readPage } from './read_page.ts'
import { search } from './search.ts'
import { trashPage } from './trash_page.ts'
import { undo } from './undo.ts'
import { updatePage } from './update_page.ts'

/** The tools that a model needs for everyday work. */
export const everydayTools: readonly Tool[] = [
  search,
  readPage,
  createPage,
  editPage,
  updatePage,
  movePage,
  trashPage,
  describeDataSource,
  queryRows,
  createRows,
  listComments,
  addComment,
  listUsers,
  attachFile,
  undo,
]
