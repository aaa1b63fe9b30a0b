import type { TestResponse } from './responses.ts'
import type { Caller } from './caller.ts'
import { idOf, resultsOf, type JsonObject } from './json.ts'

/** An item of rich text in a request. */
export function text(content: string, more: object = {}): object {
  return { text: { content }, ...more }
}

export function paragraph(content: string, more: object = {}): object {
  return { paragraph: { rich_text: content === '' ? [] : [text(content)], ...more } }
}

/** A block of any text type. */
export function block(type: string, content: string, more: object = {}): object {
  return { [type]: { rich_text: [text(content)], ...more } }
}

export function row(...cells: string[]): object {
  return { table_row: { cells: cells.map((cell) => (cell === '' ? [] : [text(cell)])) } }
}

export function column(...children: object[]): object {
  return { column: { children } }
}

/** An item of plain rich text in a response. */
export function readText(content: string, url: string | null = null): object {
  return {
    type: 'text',
    text: { content, link: url === null ? null : { url } },
    plain_text: content,
    href: url,
    annotations: { bold: false, italic: false, strikethrough: false, underline: false, code: false, color: 'default' },
  }
}

/** Creates a page at the top of the workspace, or below another one. @returns its id */
export async function makePage(
  caller: Caller,
  title = 'Rigging notes',
  parent?: string,
  children: object[] = [],
): Promise<string> {
  const response = await caller.call('createPage', {
    body: {
      ...(parent === undefined ? {} : { parent: { page_id: parent } }),
      properties: { title: { title: [text(title)] } },
      ...(children.length > 0 ? { children } : {}),
    },
  })
  if (response.status !== 200) throw new Error(response.text)
  return idOf(response.body)
}

/** Appends blocks. @returns the new blocks of the first level @throws Error unless it worked */
export async function append(caller: Caller, parent: string, children: object[], more: object = {}): Promise<JsonObject[]> {
  const response = await caller.call('appendBlockChildren', { path: { block_id: parent }, body: { children, ...more } })
  if (response.status !== 200) throw new Error(response.text)
  return resultsOf(response.body)
}

/** Appends one block. @returns its id */
export async function appendOne(caller: Caller, parent: string, child: object): Promise<string> {
  const [only] = await append(caller, parent, [child])
  return idOf(only)
}

/** All children of a block, read page by page. */
export async function children(caller: Caller, parent: string): Promise<JsonObject[]> {
  const found: JsonObject[] = []
  let cursor: string | undefined
  do {
    const query: Record<string, string> = cursor === undefined ? {} : { start_cursor: cursor }
    const { body } = await caller.call('listBlockChildren', { path: { block_id: parent }, query })
    found.push(...resultsOf(body))
    cursor = typeof body['next_cursor'] === 'string' ? body['next_cursor'] : undefined
  } while (cursor !== undefined)
  return found
}

/** The plain text of each block, or its type if it has none. */
export function plainTexts(blocks: readonly JsonObject[]): string[] {
  return blocks.map((one) => {
    const type = String(one['type'])
    const content = one[type]
    const items = typeof content === 'object' && content !== null && !Array.isArray(content) ? content['rich_text'] : undefined
    return Array.isArray(items)
      ? items
          .map((item) => (typeof item === 'object' && item !== null && !Array.isArray(item) ? String(item['plain_text']) : ''))
          .join('')
      : type
  })
}

/** A block and everything below it as text, to check that a refused request has not changed it. */
export async function snapshot(caller: Caller, root: string): Promise<string> {
  const { body } = await caller.call('retrieveBlock', { path: { block_id: root } })
  const below: string[] = []
  for (const child of await children(caller, root)) {
    below.push(
      child['has_children'] === true && child['type'] !== 'child_page'
        ? await snapshot(caller, idOf(child))
        : JSON.stringify(child),
    )
  }
  return JSON.stringify([{ ...body, request_id: null }, below])
}

/** The content of a response that is a block: the value under the key of its type. */
export function contentOf(response: TestResponse | JsonObject): JsonObject {
  const body =
    'status' in response && 'body' in response && typeof response.status === 'number'
      ? (response as TestResponse).body
      : (response as JsonObject)
  const content = body[String(body['type'])]
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new Error(`no block: ${JSON.stringify(body).slice(0, 300)}`)
  return content
}
