import type { Caller } from './caller.ts'
import { at, resultsOf, type JsonObject } from './json.ts'

/** Creates a comment. @throws Error unless it worked */
export async function makeComment(caller: Caller, body: object): Promise<JsonObject> {
  const answer = await caller.call('createComment', { body })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body
}

/** A short comment on a page: the first one starts its discussion. */
export function commentOn(caller: Caller, pageId: string, markdown = 'Mind the tide'): Promise<JsonObject> {
  return makeComment(caller, { parent: { page_id: pageId }, markdown })
}

/** The texts of the comments on a page or block. */
export async function commentTexts(caller: Caller, blockId: string): Promise<string[]> {
  const answer = await caller.call('listComments', { query: { block_id: blockId } })
  if (answer.status !== 200) throw new Error(answer.text)
  return resultsOf(answer.body).map(commentText)
}

export function commentText(comment: JsonObject): string {
  const items = at(comment, 'rich_text')
  return Array.isArray(items) ? items.map((item) => String(at(item, 'plain_text'))).join('') : ''
}
