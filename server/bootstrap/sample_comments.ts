import { ReferenceList, storeRichText } from '../domain/content/index.ts'
import { insertComment, insertDiscussion } from '../store/comments.ts'
import type { Transaction } from '../store/database.ts'
import { sampleContent } from './sample_content.ts'
import { exampleWorkspace } from './example_workspace.ts'

const { connection, bot, discussions } = exampleWorkspace

/** Comments of people and of the demo connection on the pages of the sample. */
export async function insertSampleComments(db: Transaction, workspaceId: string, now: number): Promise<void> {
  for (const { discussionId, parentId } of Object.values(discussions))
    await insertDiscussion(db, workspaceId, { id: discussionId, parentId }, now)
  for (const [index, { text, ...comment }] of sampleContent('comments').entries()) {
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
