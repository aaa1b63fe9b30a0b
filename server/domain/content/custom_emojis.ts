import type { CustomEmojiList } from '../../../generated/types.ts'
import { findEmojiInRange, listEmojisAfter } from '../../store/custom_emojis.ts'
import { cutPageById, rowAtCursor, type PageRequest, type Scope } from '../shared/index.ts'

/** The custom emojis of the workspace by name. @param name the whole name, case-sensitive, with or without colons around it */
export async function listCustomEmojis(scope: Scope, request: PageRequest, name: string | undefined): Promise<CustomEmojiList> {
  const {
    db,
    actor: { workspaceId },
    cursors,
  } = scope
  const after = await rowAtCursor(cursors, request, (range) => findEmojiInRange(db, workspaceId, range))
  const wanted = name?.replace(/^:+|(?<!:):+$/g, '')
  const rows = await listEmojisAfter(db, workspaceId, wanted, after, request.pageSize + 1)
  const { items, hasMore, nextCursor } = cutPageById(cursors, rows, request)
  return {
    object: 'list',
    type: 'custom_emoji',
    custom_emoji: {},
    results: [...items],
    has_more: hasMore,
    next_cursor: nextCursor,
  }
}
