import type { Caller } from './caller.ts'
import { children } from './content.ts'
import { idOf, textAt, type JsonObject } from './json.ts'

/** Creates a page from Markdown. @returns its id */
export async function makeMarkdownPage(caller: Caller, markdown: string, parent?: string): Promise<string> {
  const location = parent === undefined ? {} : { parent: { page_id: parent } }
  const response = await caller.call('createPage', {
    body: { ...location, properties: { title: { title: [{ text: { content: 'Notes' } }] } }, markdown },
  })
  if (response.status !== 200) throw new Error(response.text)
  return idOf(response.body)
}

export async function readMarkdown(caller: Caller, id: string): Promise<string> {
  return textAt((await caller.call('retrievePageMarkdown', { path: { page_id: id } })).body, 'markdown')
}

export interface Outline {
  readonly id: string
  readonly type: string
  readonly text: string
  readonly block: JsonObject
  readonly children: readonly Outline[]
}

/** Everything below a block, without the content of child pages. */
export async function outline(caller: Caller, id: string): Promise<Outline[]> {
  const found: Outline[] = []
  for (const block of await children(caller, id)) {
    const type = textAt(block, 'type')
    const below = block['has_children'] === true && type !== 'child_page' ? await outline(caller, idOf(block)) : []
    found.push({ id: idOf(block), type, text: plainText(block[type]), block, children: below })
  }
  return found
}

/** All blocks below another as text, including times and authors. */
export async function wholeContent(caller: Caller, id: string): Promise<string> {
  const flat = (all: readonly Outline[]): unknown[] => all.map(({ block, children: below }) => [block, flat(below)])
  return JSON.stringify(flat(await outline(caller, id)))
}

function plainText(content: unknown): string {
  const items: unknown = typeof content === 'object' && content !== null && 'rich_text' in content ? content.rich_text : []
  return Array.isArray(items) ? items.map((item) => String((item as { plain_text?: unknown }).plain_text)).join('') : ''
}

/** The ids of all blocks by their text, or by their type if they have none. Of blocks with the same text, the last one counts. */
export function idsByText(outlines: readonly Outline[], ids = new Map<string, string>()): Map<string, string> {
  for (const { id, text, type, children: below } of outlines) {
    ids.set(text === '' ? type : text, id)
    idsByText(below, ids)
  }
  return ids
}
