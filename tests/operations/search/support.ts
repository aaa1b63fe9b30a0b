import { newestRelease } from '../../../generated/operations.ts'
import { search as searchDomain } from '../../../server/domain/data/search/search.ts'
import { Cursors, ListCursors } from '../../../server/kernel/cursors.ts'
import type { Connection } from '../../../server/store/database.ts'
import type { TestResponse } from '../../harness/responses.ts'
import type { Caller } from '../../harness/caller.ts'
import { at, idOf, resultsOf, textAt } from '../../harness/json.ts'
import type { TestServer } from '../../harness/server.ts'

export function search(caller: Caller, body?: object, headers: Record<string, string> = {}): Promise<TestResponse> {
  return caller.call('search', { body, headers })
}

/** Ids of all results of a search, page by page. */
export async function findAll(caller: Caller, body: object, pageSize = 100): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | undefined; ;) {
    const response = await search(caller, {
      ...body,
      page_size: pageSize,
      ...(cursor === undefined ? {} : { start_cursor: cursor }),
    })
    if (response.status !== 200) throw new Error(response.text)
    ids.push(...resultsOf(response.body).map(idOf))
    if (at(response.body, 'has_more') === false) return ids
    cursor = textAt(response.body, 'next_cursor')
  }
}

/** Titles on the first page of results. */
export async function titlesOf(caller: Caller, body: object): Promise<string[]> {
  const response = await search(caller, body)
  if (response.status !== 200) throw new Error(response.text)
  return resultsOf(response.body).map((page) =>
    (at(page, 'properties', 'title', 'title') as { plain_text: string }[]).map((item) => item.plain_text).join(''),
  )
}

type Searching = Parameters<typeof searchDomain>

/**
 * One page of a search as any actor, including those without tokens, and with other limits.
 * @param watched wraps the connection
 */
export function searchAs(
  server: TestServer,
  actor: Searching[0]['actor'],
  body: object,
  page: { readonly startCursor: string | undefined; readonly pageSize: number },
  limits?: Searching[3],
  watched = (db: Connection): Connection => db,
): ReturnType<typeof searchDomain> {
  const cursors = new ListCursors(new Cursors(Buffer.alloc(32)), ['anybody'], () => ['search'], 0)
  const found = server.service.database.read((db) =>
    searchDomain(
      {
        db: watched(db),
        actor,
        now: 0,
        baseUrl: server.url,
        cursors,
        version: newestRelease,
        files: undefined as never,
        requireTime: () => undefined,
      },
      body,
      { ...page, cursorPath: 'body.start_cursor' },
      limits,
    ),
  )
  return Promise.resolve(found)
}
