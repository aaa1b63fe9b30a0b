import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection } from '../../harness/connections.ts'
import { children, makePage, paragraph, text } from '../../harness/content.ts'
import { expectError, expectInvalid } from '../../harness/expectations.ts'
import { resultsOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()

const JSON_TYPE = { 'Content-Type': 'application/json' }
const BODY_BYTES_MAX = 512_000
const append = async (blocks: object[], parent?: string): Promise<TestResponse> =>
  server.owner.call('appendBlockChildren', {
    path: { block_id: parent ?? (await makePage(server.owner)) },
    body: { children: blocks },
  })
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index))
const createPage = (properties: object): Promise<TestResponse> => server.owner.call('createPage', { body: { properties } })

/** Expects an error with the path, the limit and the actual figure. */
function expectTooMuch(response: TestResponse, path: string, limit: number, found: number): void {
  expectInvalid(response, path)
  expect(response.body['message']).toContain(`${path} should be ≤ \`${limit}\`, instead was \`${found}\``)
}

/** A JSON body of an exact number of bytes, padded with blanks. */
const bodyOf = (bytes: number): string => '{"children":[]}'.padEnd(bytes, ' ')

describe('the size of a body', () => {
  const send = async (body: string, headers: Record<string, string | undefined> = {}): Promise<TestResponse> =>
    server.owner.send('PATCH', `/v1/blocks/${await makePage(server.owner)}/children`, {
      headers: { ...JSON_TYPE, ...headers },
      body,
    })

  it('200 for 512,000 bytes, and 400 for one more, with the number of received bytes', async () => {
    expect((await send(bodyOf(BODY_BYTES_MAX))).status).toBe(200)
    expectError(await send(bodyOf(BODY_BYTES_MAX + 1)), 400, 'validation_error', 'body')
    expect((await send(bodyOf(BODY_BYTES_MAX + 1))).body['message']).toBe(
      'body failed validation: body should be ≤ `512000` bytes, instead was `512001`.',
    )
    expect((await send(bodyOf(600 * 1024))).body['message']).toContain('instead was `614400`')
  })

  it('400 when a chunked body exceeds the limit, and 200 at the limit', async () => {
    const chunked = { 'Transfer-Encoding': 'chunked', 'Content-Length': undefined }
    expect((await send(bodyOf(BODY_BYTES_MAX), chunked)).status).toBe(200)
    expectError(await send(bodyOf(BODY_BYTES_MAX + 1), chunked), 400, 'validation_error', 'body')
  })

  it('400 when the bytes, not the characters, exceed the limit', async () => {
    expectError(await send(`{"children":[],"x":"${'é'.repeat(260_000)}"}`), 400, 'validation_error', 'body')
  })

  it('400 for the size before invalid JSON is reported, but after the capability is checked', async () => {
    expectError(await send('{'.padEnd(BODY_BYTES_MAX + 1, ' ')), 400, 'validation_error', 'body')
    const { caller } = await makeConnection(server, { capabilities: ['read_content'] })
    expectError(await caller.send('POST', '/v1/pages', { headers: JSON_TYPE, body: bodyOf(600_000) }), 403, 'restricted_resource')
  })

  it('400 when nested deeper than 64 levels, while bodies with 64 levels are validated', async () => {
    const nested = (levels: number): string => `{"children":[],"x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
    expect((await send(nested(64))).body['message']).toContain('body.x should be not present')
    expect((await send(nested(65))).body['message']).toBe('body failed validation: body should be nested at most 64 levels deep.')
    expectError(await send(nested(100_000)), 400, 'validation_error', 'body')
  })
})

describe('the size of the URL and headers', () => {
  it('400 invalid_request_url for a URL over 8 KiB, with or without a query', async () => {
    const path = '/v1/custom_emojis?name='
    expectInvalid(await server.owner.send('GET', path + 'x'.repeat(8192 - path.length)), 'query.name.length')
    expectError(await server.owner.send('GET', path + 'x'.repeat(8193 - path.length)), 400, 'invalid_request_url')
    expectError(await server.owner.send('GET', `/v1/blocks/${'0'.repeat(8192)}`), 400, 'invalid_request_url')
    expectError(await server.caller(undefined, undefined).send('GET', `/${'a'.repeat(9000)}`), 400, 'invalid_request_url')
  })

  it('400 invalid_request for headers over 16 KiB in total', async () => {
    expect((await server.owner.send('GET', '/v1/users/me', { headers: { 'X-Long': 'x'.repeat(15_000) } })).status).toBe(200)
    expectError(
      await server.owner.send('GET', '/v1/nowhere', { headers: { 'X-Long': 'x'.repeat(17_000) } }),
      400,
      'invalid_request',
    )
    expectError(
      await server.owner.send('GET', '/v1/nowhere', { headers: { 'X-A': 'x'.repeat(8_500), 'X-B': 'x'.repeat(8_500) } }),
      400,
      'invalid_request',
    )
  })
})

describe('the number of blocks', () => {
  it('200 for 1,000 in one request, nested blocks included, and 400 for 1,001', async () => {
    const nested = (count: number): object[] =>
      times(10, (index) => ({
        toggle: { rich_text: [], children: times(index === 9 ? count - 9 * 100 - 1 : 99, () => paragraph('')) },
      }))
    const parent = await makePage(server.owner)
    expect((await append(nested(1000), parent)).status).toBe(200)
    expect(await children(server.owner, parent)).toHaveLength(10)
    const response = await append(nested(1001))
    expectInvalid(response, 'body.children')
    expect(response.body['message']).toContain('1001')
    const page = await server.owner.call('createPage', { body: { properties: {}, children: nested(1001) } })
    expectInvalid(page, 'body.children')
  })

  it('200 for 100 in one array, and 400 for 101, at every level', async () => {
    expect(resultsOf((await append(times(100, () => paragraph('')))).body)).toHaveLength(100)
    expectTooMuch(await append(times(101, () => paragraph(''))), 'body.children.length', 100, 101)
    expectTooMuch(
      await append([{ toggle: { rich_text: [], children: times(101, () => paragraph('')) } }]),
      'body.children[0].toggle.children.length',
      100,
      101,
    )
    const deep = {
      toggle: { rich_text: [], children: [{ toggle: { rich_text: [], children: times(101, () => paragraph('')) } }] },
    }
    expectTooMuch(await append([deep]), 'body.children[0].toggle.children[0].toggle.children.length', 100, 101)
    expectTooMuch(
      await server.owner.call('createPage', { body: { children: times(140, () => paragraph('')) } }),
      'body.children.length',
      100,
      140,
    )
  })
})

describe('the length of rich text', () => {
  const inParagraph = (items: object[]): Promise<TestResponse> => append([{ paragraph: { rich_text: items } }])
  const item = 'body.children[0].paragraph.rich_text[0]'

  it('200 for 100 items, and 400 for 101, in texts and captions', async () => {
    expect((await inParagraph(times(100, () => text('x')))).status).toBe(200)
    expectTooMuch(await inParagraph(times(101, () => text('x'))), 'body.children[0].paragraph.rich_text.length', 100, 101)
    const caption = times(101, () => text('x'))
    expectTooMuch(
      await append([{ bookmark: { url: 'https://workspace.example', caption } }]),
      'body.children[0].bookmark.caption.length',
      100,
      101,
    )
    expectTooMuch(
      await append([{ code: { rich_text: [], caption, language: 'bash' } }]),
      'body.children[0].code.caption.length',
      100,
      101,
    )
    expectTooMuch(
      await append([{ table: { table_width: 1, children: [{ table_row: { cells: [caption] } }] } }]),
      'body.children[0].table.children[0].table_row.cells[0].length',
      100,
      101,
    )
    expectTooMuch(await createPage({ title: { title: caption } }), 'body.properties.title.title.length', 100, 101)
  })

  it('200 for 2,000 characters, and 400 for 2,001', async () => {
    expect((await inParagraph([text('x'.repeat(2000))])).status).toBe(200)
    expectTooMuch(await inParagraph([text('x'.repeat(2001))]), `${item}.text.content.length`, 2000, 2001)
    expectTooMuch(
      await createPage({ title: { title: [text('x'.repeat(2500))] } }),
      'body.properties.title.title[0].text.content.length',
      2000,
      2500,
    )
  })

  it('200 for 2,000 emojis, because code points are counted', async () => {
    expect((await inParagraph([text('⛵'.repeat(2000))])).status).toBe(200)
    expect((await inParagraph([text('🚤'.repeat(2000))])).status).toBe(200)
    expectTooMuch(await inParagraph([text('🚤'.repeat(2001))]), `${item}.text.content.length`, 2000, 2001)
  })

  it('200 for a link of 2,000 characters, and 400 for 2,001', async () => {
    const url = (length: number): string => 'https://workspace.example/'.padEnd(length, 'x')
    expect((await inParagraph([{ text: { content: 'x', link: { url: url(2000) } } }])).status).toBe(200)
    expectTooMuch(
      await inParagraph([{ text: { content: 'x', link: { url: url(2001) } } }]),
      `${item}.text.link.url.length`,
      2000,
      2001,
    )
    expect((await append([{ embed: { url: url(2000) } }])).status).toBe(200)
    expectTooMuch(await append([{ embed: { url: url(2001) } }]), 'body.children[0].embed.url.length', 2000, 2001)
    expectTooMuch(
      await append([{ image: { external: { url: url(2001) } } }]),
      'body.children[0].image.external.url.length',
      2000,
      2001,
    )
    expectTooMuch(
      await server.owner.call('createPage', { body: { icon: { external: { url: url(2001) } } } }),
      'body.icon.external.url.length',
      2000,
      2001,
    )
    expectTooMuch(
      await server.owner.call('createPage', { body: { cover: { external: { url: url(2001) } } } }),
      'body.cover.external.url.length',
      2000,
      2001,
    )
  })

  it('200 for an equation of 1,000 characters, and 400 for 1,001', async () => {
    expect((await inParagraph([{ equation: { expression: 'x'.repeat(1000) } }])).status).toBe(200)
    expectTooMuch(
      await inParagraph([{ equation: { expression: 'x'.repeat(1001) } }]),
      `${item}.equation.expression.length`,
      1000,
      1001,
    )
    expect((await append([{ equation: { expression: 'x'.repeat(1000) } }])).status).toBe(200)
    expectTooMuch(
      await append([{ equation: { expression: 'x'.repeat(1001) } }]),
      'body.children[0].equation.expression.length',
      1000,
      1001,
    )
  })
})

describe('the size of property values', () => {
  it.each<[string, object, string, number, number]>([
    ['an email address of 201 characters', { email: `${'x'.repeat(189)}@example.com` }, 'email.length', 200, 201],
    ['a phone number of 201 characters', { phone_number: '1'.repeat(201) }, 'phone_number.length', 200, 201],
    ['a URL of 2,001 characters', { url: 'https://workspace.example/'.padEnd(2001, 'x') }, 'url.length', 2000, 2001],
    ['101 options', { multi_select: times(101, (index) => ({ name: `o${index}` })) }, 'multi_select.length', 100, 101],
    ['101 related pages', { relation: times(101, () => ({ id: randomUUID() })) }, 'relation.length', 100, 101],
    ['101 people', { people: times(101, () => ({ id: randomUUID() })) }, 'people.length', 100, 101],
    ['101 items of rich text', { rich_text: times(101, () => text('x')) }, 'rich_text.length', 100, 101],
    [
      '101 files',
      { files: times(101, (index) => ({ name: `f${index}`, external: { url: 'https://workspace.example/f' } })) },
      'files.length',
      100,
      101,
    ],
  ])('400 for %s', async (_what, value, location, limit, found) => {
    expectTooMuch(await createPage({ Value: value }), `body.properties.Value.${location}`, limit, found)
  })

  it.each<[string, object]>([
    ['an email address of 200 characters', { email: `${'x'.repeat(188)}@example.com` }],
    ['a phone number of 200 characters', { phone_number: '1'.repeat(200) }],
    ['a URL of 2,000 characters', { url: 'https://workspace.example/'.padEnd(2000, 'x') }],
    ['100 options', { multi_select: times(100, (index) => ({ name: `o${index}` })) }],
    ['100 related pages', { relation: times(100, () => ({ id: randomUUID() })) }],
    ['100 people', { people: times(100, () => ({ id: randomUUID() })) }],
  ])('no limit error for %s', async (_what, value) => {
    // A page outside a data source lacks this property; that check comes after the limits.
    const { body } = await createPage({ Value: value })
    expect(body['message']).not.toContain('.length')
    expect(body['message']).toContain('body.properties.Value')
  })
})
