import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { updateContent } from '../../../server/store/blocks.ts'
import { appendOne, paragraph, readText, text } from '../../harness/content.ts'
import { makeConnection } from '../../harness/connections.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { at, idOf, resultsOf, textAt } from '../../harness/json.ts'
import { serverOfFile, TOKEN } from '../../harness/server.ts'

const server = await serverOfFile()
const page = await makeTitled(...['one', 'two', 'three', 'four', 'five'].map((word) => text(word)))

type Query = Record<string, string | number>
const retrieve = (
  id: string,
  property = 'title',
  query: Query | string = {},
  caller = server.owner,
): ReturnType<typeof caller.call> => caller.call('retrievePageProperty', { path: { page_id: id, property_id: property }, query })

async function makeTitled(...title: object[]): Promise<string> {
  return idOf((await server.owner.call('createPage', { body: { properties: { title: { title } } } })).body)
}

const item = (word: string): object => ({ object: 'property_item', id: 'title', type: 'title', title: readText(word) })

describe('retrievePageProperty', () => {
  it('200 with a title as a list, one item for each rich text item', async () => {
    const { status, body } = await retrieve(page)
    expect(status).toBe(200)
    expect({ ...body, request_id: null }).toStrictEqual({
      object: 'list',
      type: 'property_item',
      results: ['one', 'two', 'three', 'four', 'five'].map(item),
      has_more: false,
      next_cursor: null,
      property_item: { id: 'title', type: 'title', title: {}, next_url: null },
      request_id: null,
    })
  })

  it('200 with a list even for an empty or single value', async () => {
    expect(resultsOf((await retrieve(await makeTitled())).body)).toStrictEqual([])
    expect(resultsOf((await retrieve(await makeTitled(text('Only')))).body)).toStrictEqual([item('Only')])
  })

  it('200 with a next_url that continues the list with the requested page size', async () => {
    const first = await retrieve(page.toUpperCase(), 'title', { page_size: 2 })
    const cursor = textAt(first.body, 'next_cursor')
    expect(at(first.body, 'property_item', 'next_url')).toBe(
      `${server.url}/v1/pages/${page.replaceAll('-', '')}/properties/title?start_cursor=${cursor}&page_size=2`,
    )
    const words: unknown[] = [...resultsOf(first.body)]
    let next = at(first.body, 'property_item', 'next_url')
    while (typeof next === 'string') {
      const { body } = await server.owner.send('GET', next.slice(server.url.length))
      words.push(...resultsOf(body))
      next = at(body, 'property_item', 'next_url')
      expect(next === null).toBe(body['next_cursor'] === null)
    }
    expect(words).toStrictEqual(['one', 'two', 'three', 'four', 'five'].map(item))
  })

  it('200 for a percent-encoded property id', async () => {
    for (const id of ['title', '%74itle', 't%69tle'])
      expect((await server.owner.send('GET', `/v1/pages/${page}/properties/${id}`)).status).toBe(200)
  })

  it('200 with the title of a page in the trash', async () => {
    const gone = await makeTitled(text('Gone'))
    await server.owner.call('deleteBlock', { path: { block_id: gone } })
    expect(resultsOf((await retrieve(gone)).body)).toStrictEqual([item('Gone')])
  })

  it('200 with every mentioned person and page, although the page object contains only 25', async () => {
    const [{ id: user, name }] = exampleWorkspace.people
    const mentions = Array.from({ length: 30 }, (_, index) => ({
      annotations: { bold: true },
      mention: index % 2 === 0 ? { user: { id: user } } : { page: { id: page } },
    }))
    const long = await makeTitled(...mentions, text(' and text'), { mention: { date: { start: '2026-05-16' } } })
    const items = resultsOf((await retrieve(long)).body).map((one) => textAt(one, 'title', 'plain_text'))
    const [person, location] = [`@${name}`, 'onetwothreefourfive']
    expect(items.slice(0, 30)).toStrictEqual(mentions.map((_, index) => (index % 2 === 0 ? person : location)))

    const { body } = await server.owner.call('retrievePage', { path: { page_id: long } })
    const title = at(body, 'properties', 'title', 'title')
    const shown = Array.isArray(title) ? title : []
    expect(shown.map((one) => textAt(one, 'plain_text'))).toStrictEqual([
      ...mentions.slice(0, 25).map((_, index) => (index % 2 === 0 ? person : location)),
      ...mentions.slice(25).map((_, index) => (index % 2 === 0 ? 'Untitled' : '@Anonymous')),
      ' and text',
      '2026-05-16',
    ])
    expect(shown.map((one) => at(one, 'annotations', 'bold'))).toStrictEqual([...mentions.map(() => true), false, false])
    expect(at(shown[26], 'mention', 'user')).toStrictEqual({ object: 'user', id: user })
    expect(at(shown[25], 'mention', 'page')).toStrictEqual({ id: page })
  })

  it('200 with a hundred of the 250 items of a value, and the rest on further pages', async () => {
    const long = await makeTitled()
    const stored = Array.from({ length: 250 }, (_, index) => ({ type: 'text', text: { content: String(index) } }))
    await server.service.database.write((db) => updateContent(db, exampleWorkspace.workspace.id, long, { title: stored }))
    const first = await retrieve(long)
    expect(resultsOf(first.body)).toHaveLength(100)
    const rest = await retrieve(long, 'title', { start_cursor: textAt(first.body, 'next_cursor') })
    expect(textAt(resultsOf(rest.body)[0], 'title', 'plain_text')).toBe('100')
  })

  it.each([
    ['2025-09-03', { type: 'property_item', property_item: { id: 'title', type: 'title', title: {}, next_url: null } }],
    ['2022-02-22', { type: 'property_item', property_item: { id: 'title', type: 'title', title: {}, next_url: null } }],
    ['2021-08-16', { type: 'title' }],
    ['2021-05-11', { type: 'title' }],
  ])('200 at version %s, in the form of that version', async (version, form) => {
    const { status, body } = await retrieve(page, 'title', {}, server.caller(TOKEN, version))
    expect([status, body]).toMatchObject([200, form])
    expect(resultsOf(body)).toHaveLength(5)
    expect('property_item' in body).toBe(form.type === 'property_item')
  })

  describe('400 validation_error for', () => {
    it.each(['0', '101', '-1', 'ten', '1.5'])('page_size %s', async (size) => {
      expectInvalid(await retrieve(page, 'title', `page_size=${size}`), 'query.page_size')
    })

    it('a malformed cursor, or one of another page', async () => {
      const other = await makeTitled(text('a'), text('b'))
      const cursor = textAt((await retrieve(other, 'title', { page_size: 1 })).body, 'next_cursor')
      for (const bad of [cursor, 'x', randomUUID()])
        expectInvalid(await retrieve(page, 'title', { start_cursor: bad }), 'query.start_cursor')
    })

    it('the id of a block or a database, naming the kind', async () => {
      expectInvalid(await retrieve(await appendOne(server.owner, page, paragraph('x'))), 'block')
      expectInvalid(await retrieve(exampleWorkspace.repairLog), 'database')
      expectInvalid(await retrieve('x'), 'path.page_id')
    })
  })

  it('401 unauthorized without a token', async () => {
    expectError(await retrieve(page, 'title', {}, server.caller(undefined)), 401, 'unauthorized')
  })

  it('403 restricted_resource without the capability to read content, even if the page is missing', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['update_content'], grants: [exampleWorkspace.workspace.id] })
    for (const id of [page, randomUUID()])
      expectError(await retrieve(id, 'title', {}, caller), 403, 'restricted_resource', 'read_content')
  })

  it('404 object_not_found when the page is missing or not shared, or lacks the property', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['read_content'], grants: [page] })
    const ghost = randomUUID()
    for (const id of [ghost, exampleWorkspace.pages.handbook]) expectNotFound(await retrieve(id, 'title', {}, caller), id)
    for (const property of ['stat', 'Title', 'constructor', '__proto__', 'a b%']) {
      expectError(await retrieve(page, property, {}, caller), 404, 'object_not_found')
      expect(textAt((await retrieve(page, property, {}, caller)).body, 'message')).toContain(property)
    }
  })
})
