import type { Handlers } from './handler.ts'
import { agents } from './agents.ts'
import { asyncTasks } from './async_tasks.ts'
import { blocks } from './blocks.ts'
import { comments } from './comments.ts'
import { customEmojis } from './custom_emojis.ts'
import { dataSources } from './data_sources.ts'
import { databases } from './databases.ts'
import { fileUploads } from './file_uploads.ts'
import { meetingNotes } from './meeting_notes.ts'
import { pages } from './pages.ts'
import { titleSearch } from './search.ts'
import { sessions } from './sessions.ts'
import { users } from './users.ts'
import { views } from './views.ts'
import { webhookSubscriptions } from './webhook_subscriptions.ts'

/** Every operation of the contract. One that is missing does not compile. */
export const handlers: Handlers = {
  ...agents,
  ...asyncTasks,
  ...blocks,
  ...comments,
  ...customEmojis,
  ...dataSources,
  ...databases,
  ...fileUploads,
  ...meetingNotes,
  ...pages,
  ...sessions,
  ...titleSearch,
  ...users,
  ...views,
  ...webhookSubscriptions,
}
