import { operations } from '../../../../generated/operations.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'
import type { ConformClient } from '../conform_client.ts'

const SUCCESS_MAX = 299
/** The most pages that are tried. */
const CANDIDATES_MAX = 10
/** The most recently edited pages that are considered. */
const SEARCHED = 100

/** The page that a run creates for itself. */
export interface RunPage {
  readonly id: string
  readonly response: unknown
  /** The page that contains it. */
  readonly insideId: string
}

/** Thrown if there is no page to work in. */
export class NoParentPage extends Error {
  override readonly name = 'NoParentPage'
}

/**
 * Creates a page inside another one.
 * @param onTry called with each parent before the page is created: the response may be lost
 * @param insideId undefined for the first page in which the token may create one
 * @throws NoParentPage if there is none
 */
export async function makeRunPage(
  client: ConformClient,
  title: string,
  onTry: (insideId: string) => void,
  insideId?: string,
): Promise<RunPage> {
  const candidates = insideId === undefined ? (await pagesOf(client)).slice(0, CANDIDATES_MAX) : [insideId]
  let last = 'the token has access to no page'
  for (const candidate of candidates) {
    onTry(candidate)
    const body = { parent: { page_id: candidate }, properties: { title: [{ text: { content: title } }] } }
    const { status, value } = await client.call(operations.createPage, { body })
    if (status <= SUCCESS_MAX && isObject(value)) return { id: String(value['id']), response: value, insideId: candidate }
    last = `the page ${candidate} refused it: ${status} ${isObject(value) ? String(value['message']) : ''}`
  }
  throw new NoParentPage(`The run could not create its page. The last response: ${last}`)
}

function isRow({ parent }: Readonly<Record<string, unknown>>): boolean {
  return isObject(parent) && parent['type'] === 'data_source_id'
}

async function pagesOf(client: ConformClient): Promise<readonly string[]> {
  const body = { filter: { property: 'object', value: 'page' }, page_size: SEARCHED }
  const { value } = await client.call(operations.search, { body })
  const results = isObject(value) && Array.isArray(value['results']) ? value['results'].filter(isObject) : []
  const open = results.filter((page) => page['in_trash'] !== true && page['is_locked'] !== true)
  // Rows can contain pages, too, but nobody would look for them there.
  return [...open.filter((page) => !isRow(page)), ...open.filter(isRow)].map(({ id }) => String(id))
}

/**
 * Looks for a page whose creation got no response.
 * @returns the ids of children with the title, which no other page has
 */
export async function findByTitle(client: ConformClient, insideId: string, title: string): Promise<readonly string[]> {
  const found: string[] = []
  let cursor: string | undefined
  do {
    const query = { page_size: '100', ...(cursor !== undefined && { start_cursor: cursor }) }
    const { value } = await client.call(operations.listBlockChildren, { path: { block_id: insideId }, query })
    if (!isObject(value)) break
    for (const block of Array.isArray(value['results']) ? value['results'].filter(isObject) : [])
      if (isObject(block['child_page']) && block['child_page']['title'] === title) found.push(String(block['id']))
    cursor = typeof value['next_cursor'] === 'string' ? value['next_cursor'] : undefined
  } while (cursor !== undefined)
  return found
}
