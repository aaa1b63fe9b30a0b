import type { AssistantTool } from '../tool.ts'
import { attachFileMcpTool } from './attach_file_mcp_tool.ts'
import { addCommentMcpTool, listCommentsMcpTool } from './comments.ts'
import { createPageMcpTool } from './create_page_mcp_tool.ts'
import { createRowsMcpTool } from './create_rows_mcp_tool.ts'
import { describeDataSourceMcpTool } from './describe_data_source_mcp_tool.ts'
import { editPageMcpTool } from './edit_page_mcp_tool.ts'
import { listUsersMcpTool } from './list_users_mcp_tool.ts'
import { movePageMcpTool } from './move_page_mcp_tool.ts'
import { queryRowsMcpTool } from './query_rows_mcp_tool.ts'
import { readPageMcpTool } from './read_page_mcp_tool.ts'
import { searchMcpTool } from './search_mcp_tool.ts'
import { trashPageMcpTool } from './trash_page_mcp_tool.ts'
import { undoMcpTool } from './undo_mcp_tool.ts'
import { updatePageMcpTool } from './update_page_mcp_tool.ts'

/** The tools that a model needs for everyday work. */
export const everydayTools: readonly AssistantTool[] = [
  searchMcpTool,
  readPageMcpTool,
  createPageMcpTool,
  editPageMcpTool,
  updatePageMcpTool,
  movePageMcpTool,
  trashPageMcpTool,
  describeDataSourceMcpTool,
  queryRowsMcpTool,
  createRowsMcpTool,
  listCommentsMcpTool,
  addCommentMcpTool,
  listUsersMcpTool,
  attachFileMcpTool,
  undoMcpTool,
]
