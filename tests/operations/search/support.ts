import type { Answer } from '../../harness/answers.ts'
import type { Caller } from '../../harness/caller.ts'
import { at, idOf, resultsOf, textAt } from '../../harness/json.ts'

export function search(caller: Caller, body?: object, headers: Record<string, string> = {}): Promise<Answer> {
  return caller.call('search', { body, headers })
}

/** Ids of everything that a search finds, page by page. */
export async function findAll(caller: Caller, body: object, pageSize = 100): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | undefined; ;) {
    const answer = await search(caller, {
      ...body,
      page_size: pageSize,
      ...(cursor === undefined ? {} : { start_cursor: cursor }),
    })
    if (answer.status !== 200) throw new Error(answer.text)
    ids.push(...resultsOf(answer.body).map(idOf))
    if (at(answer.body, 'has_more') === false) return ids
    cursor = textAt(answer.body, 'next_cursor')
  }
}

/** Titles of the first page of what a search finds. */
export async function titlesOf(caller: Caller, body: object): Promise<string[]> {
  const answer = await search(caller, body)
  if (answer.status !== 200) throw new Error(answer.text)
  return resultsOf(answer.body).map((page) =>
    (at(page, 'properties', 'title', 'title') as { plain_text: string }[]).map((item) => item.plain_text).join(''),
  )
}
