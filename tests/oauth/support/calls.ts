import type { TestResponse } from '../../harness/responses.ts'
import type { Caller } from '../../harness/caller.ts'
import { text } from '../../harness/content.ts'

/** Whether a token is valid: 200, or the status of its error. */
export async function statusOf(caller: Caller): Promise<number> {
  return (await caller.call('retrieveMe')).status
}

/** Creates a page with a title. Without a parent, the kind of token determines it. */
export function createPage(caller: Caller, parent?: object): Promise<TestResponse> {
  return caller.call('createPage', {
    body: { ...(parent === undefined ? {} : { parent }), properties: { title: { title: [text('Top page')] } } },
  })
}
