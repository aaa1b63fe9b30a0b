import { expect, it } from 'vitest'
import { appendOne, makePage, text } from '../../harness/content.ts'
import { at, idOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()

const FEW_NAMES = { filter_properties: ['title'] }
/** A character of two code units, which truncation must not split. */
const WIDE = '\u{1F600}'

it('listBlockChildren: 200 with the first 250 characters of a mentioned title, even if that title contains many mentions', async () => {
  const { owner } = server
  const titled = async (title: object[]): Promise<string> => {
    const body = { parent: { workspace: true }, properties: { title: { title } } }
    const { status, text: response, body: page } = await owner.call('createPage', { body, query: FEW_NAMES })
    expect(status, response).toBe(200)
    return idOf(page)
  }
  const mentions = (id: string): object[] => Array.from({ length: 100 }, () => ({ mention: { page: { id } } }))
  const long = await titled([text(`x${WIDE.repeat(200)}`), ...Array.from({ length: 99 }, () => text('y'.repeat(2_000)))])
  const shown = `x${WIDE.repeat(200)}${'y'.repeat(49)}`
  const ofMentions = await titled(mentions(long))
  const page = await makePage(owner)
  const block = await appendOne(owner, page, {
    paragraph: { rich_text: [...mentions(ofMentions).slice(1), { mention: { page: { id: long } } }] },
  })
  const { body } = await owner.call('listBlockChildren', { path: { block_id: page } })
  const items = at(body, 'results', 0, 'paragraph', 'rich_text') as { plain_text: string }[]
  expect(at(body, 'results', 0, 'id')).toBe(block)
  expect(items.map(({ plain_text }) => plain_text)).toStrictEqual(Array(100).fill(shown))
  const markdown = await owner.call('retrievePageMarkdown', { path: { page_id: page } })
  expect(markdown.text.length).toBeLessThan(100_000)
  expect(markdown.text.split(shown)).toHaveLength(101)
})
