import type { RichTextItemRequest } from '../../generated/types.ts'
import type { StoredDisplayName } from '../domain/comments/display_name.ts'
import { ReferenceList } from '../domain/references.ts'
import { storeRichText } from '../domain/rich_text/write.ts'
import { insertComment, insertDiscussion } from '../store/comments.ts'
import type { Transaction } from '../store/database.ts'
import { story } from './story.ts'

interface SampleComment {
  readonly id: string
  readonly discussionId: string
  readonly parentId: string
  readonly text: RichTextItemRequest[]
  readonly displayName: StoredDisplayName
  readonly createdBy: string
}

const [ines, tomas] = story.people
const { connection, bot, discussions } = story

/** The discussions of the story, oldest comment first. */
const comments: readonly SampleComment[] = [
  {
    ...discussions.checklist,
    id: '2a87c5a0-a6dc-4ac8-b371-a476de93bc0f',
    text: [
      { text: { content: 'New fire rules: ' } },
      { text: { content: 'https://example.org/fire-rules', link: { url: 'https://example.org/fire-rules' } } },
    ],
    displayName: { type: 'user', userId: tomas.id },
    createdBy: tomas.id,
  },
  {
    ...discussions.launchPlan,
    id: 'c199c0a9-8a62-4ac1-bac0-cddb0346ce06',
    text: [
      { text: { content: 'See the plan and the ' } },
      { mention: { page: { id: story.pages.checklist } } },
      { text: { content: '.' } },
    ],
    displayName: { type: 'integration', userId: bot.id },
    createdBy: bot.id,
  },
  {
    ...discussions.launchPlan,
    id: '4ca8c324-a8eb-42f1-a27d-239fdf8adf39',
    text: [
      { text: { content: 'High water is at ' } },
      { mention: { date: { start: '2026-05-16T11:40', time_zone: 'Europe/Berlin' } } },
      { text: { content: ', agreed.' } },
    ],
    displayName: { type: 'user', userId: ines.id },
    createdBy: ines.id,
  },
  {
    ...discussions.toDo,
    id: 'f7572dd8-8f18-4e53-a895-bc4380f485ea',
    text: [{ text: { content: 'Depth at the slip: ' } }, { text: { content: '1.9 m' }, annotations: { bold: true } }],
    displayName: { type: 'custom', name: 'Tide watch' },
    createdBy: bot.id,
  },
]

/** What people and the demo connection have said about the pages of the sample. */
export async function insertSampleComments(db: Transaction, workspaceId: string, now: number): Promise<void> {
  for (const { discussionId, parentId } of Object.values(discussions))
    await insertDiscussion(db, workspaceId, { id: discussionId, parentId }, now)
  for (const [index, { text, ...comment }] of comments.entries()) {
    const time = now + index
    const written = {
      ...comment,
      richText: storeRichText(text, '', new ReferenceList()),
      attachments: [],
      connectionId: comment.createdBy === bot.id ? connection.id : null,
      createdTime: time,
      lastEditedTime: time,
    }
    await insertComment(db, workspaceId, written, true)
  }
}
