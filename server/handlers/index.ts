import type { Handlers } from './handler.ts'
import { agentHandlers } from './agents.ts'
import { asyncTaskHandlers } from './async_tasks.ts'
import { blockHandlers } from './blocks.ts'
import { commentHandlers } from './comments.ts'
import { customEmojiHandlers } from './custom_emojis.ts'
import { dataSourceHandlers } from './data_sources.ts'
import { databaseHandlers } from './databases.ts'
import { fileUploadHandlers } from './file_uploads.ts'
import { meetingNotesHandlers } from './meeting_notes.ts'
import { pageHandlers } from './pages.ts'
import { searchHandlers } from './search.ts'
import { sessionHandlers } from './sessions.ts'
import { userHandlers } from './users.ts'
import { viewHandlers } from './views.ts'
import { webhookSubscriptionHandlers } from './webhook_subscriptions.ts'

/** The handlers of all operations of API tokens, by operation id. */
export const handlers: Handlers = {
  ...agentHandlers,
  ...asyncTaskHandlers,
  ...blockHandlers,
  ...commentHandlers,
  ...customEmojiHandlers,
  ...dataSourceHandlers,
  ...databaseHandlers,
  ...fileUploadHandlers,
  ...meetingNotesHandlers,
  ...pageHandlers,
  ...sessionHandlers,
  ...searchHandlers,
  ...userHandlers,
  ...viewHandlers,
  ...webhookSubscriptionHandlers,
}
