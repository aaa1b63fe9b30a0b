import type { AssistantTool } from '../tool.ts'
import { attachFileTool } from './attach_file_tool.ts'
import { addCommentTool, listCommentsTool } from './comments.ts'
import { createPageTool } from './create_page_tool.ts'
import { createRowsTool } from './create_rows_tool.ts'
import { describeDataSourceTool } from './describe_data_source_tool.ts'
import { editPageTool } from './edit_page_tool.ts'
import { listUsersTool } from './list_users_tool.ts'
import { movePageTool } from './move_page_tool.ts'
import { queryRowsTool } from './query_rows_tool.ts'
import { readPageTool } from './read_page_tool.ts'
import { searchTool } from './search_tool.ts'
import { trashPageTool } from './trash_page_tool.ts'
import { undoTool } from './undo_tool.ts'
import { updatePageTool } from './update_page_tool.ts'

/** The tools that a model needs for everyday work. */
export const everydayTools: readonly AssistantTool[] = [
  searchTool,
  readPageTool,
  createPageTool,
  editPageTool,
  updatePageTool,
  movePageTool,
  trashPageTool,
  describeDataSourceTool,
  queryRowsTool,
  createRowsTool,
  listCommentsTool,
  addCommentTool,
  listUsersTool,
  attachFileTool,
  undoTool,
]
