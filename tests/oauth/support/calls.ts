import type { Answer } from '../../harness/answers.ts'
import type { Caller } from '../../harness/caller.ts'
import { text } from '../../harness/content.ts'

/** Whether a token is good: 200, or the status of its refusal. */
export async function statusOf(caller: Caller): Promise<number> {
  return (await caller.call('retrieveMe')).status
}

/** Asks for a page with a title, where the token's kind decides if none says where. */
export function createPage(caller: Caller, parent?: object): Promise<Answer> {
  return caller.call('createPage', {
    body: { ...(parent === undefined ? {} : { parent }), properties: { title: { title: [text('Top page')] } } },
  })
}
