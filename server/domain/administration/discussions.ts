import { findBlock } from '../../store/blocks.ts'
import { findDiscussions, setResolved, type DiscussionRow } from '../../store/comments.ts'
import type { Connection, Transaction } from '../../store/database.ts'
import { AdministrationError } from '../shared/index.ts'

/**
 * Discussions on one page or block, including resolved ones, oldest first.
 * @throws AdministrationError if there is no such page or block
 */
export async function listDiscussions(db: Connection, workspaceId: string, blockId: string): Promise<DiscussionRow[]> {
  if (!(await findBlock(db, workspaceId, blockId)))
    throw new AdministrationError(`No page or block of the workspace has the id ${blockId}.`)
  return findDiscussions(db, workspaceId, blockId)
}

/**
 * Resolves a discussion or reopens it. Lists omit the comments of resolved discussions.
 * @throws AdministrationError if there is no such discussion
 */
export async function setDiscussionResolved(
  db: Transaction,
  workspaceId: string,
  discussionId: string,
  resolved: boolean,
  now: number,
): Promise<void> {
  if (!(await setResolved(db, workspaceId, discussionId, resolved ? now : null)))
    throw new AdministrationError(
      `No discussion has the id ${discussionId}. List those of a page with: workspace-service discussion list <id of the page or block>`,
    )
}
