import type { Caller } from './caller.ts'
import { at, resultsOf, type JsonObject } from './json.ts'

/** Creates a comment. @throws Error unless it worked */
export async function makeComment(caller: Caller, body: object): Promise<JsonObject> {
  const response = await caller.call('createComment', { body })
  if (response.status !== 200) throw new Error(response.text)
  return response.body
}

/** A short comment on a page: the first one starts its discussion. */
export function commentOn(caller: Caller, pageId: string, markdown = 'Mind the tide'): Promise<JsonObject> {
  return makeComment(caller, { parent: { page_id: pageId }, markdown })
}

export async function commentTexts(caller: Caller, blockId: string): Promise<string[]> {
  const response = await caller.call('listComments', { query: { block_id: blockId } })
  if (response.status !== 200) throw new Error(response.text)
  return resultsOf(response.body).map(commentText)
}

export function commentText(comment: JsonObject): string {
  const items = at(comment, 'rich_text')
  return Array.isArray(items) ? items.map((item) => String(at(item, 'plain_text'))).join('') : ''
}
