import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import type { OperationId } from '../../../server/contract/operation.ts'
import type { TestResponse } from '../../harness/responses.ts'
import type { CallParts } from '../../harness/caller.ts'
import { makeMember } from '../../harness/connections.ts'
import { makePage, paragraph } from '../../harness/content.ts'
import { expectError, expectInvalid } from '../../harness/expectations.ts'
import { GHOST } from '../../harness/every_operation.ts'
import { at } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

/** The wording of error messages, and the members beside them. */

const server = await serverOfFile()
const page = await makePage(server.owner)

const append = (children: unknown): Promise<TestResponse> =>
  server.owner.call('appendBlockChildren', { path: { block_id: page }, body: { children } })
const update = (body: unknown): Promise<TestResponse> => server.owner.call('updatePage', { path: { page_id: page }, body })
const linesOf = (response: TestResponse): string[] => String(response.body['message']).split('\n')

describe('messages of errors', () => {
  it.each<[string, unknown, string]>([
    ['a wrong type', { in_trash: 'yes' }, 'body failed validation: body.in_trash should be a boolean, instead was `"yes"`.'],
    ['null', { in_trash: null }, 'body failed validation: body.in_trash should be a boolean, instead was `null`.'],
    [
      'an object',
      { in_trash: { a: [1, null] } },
      'body failed validation: body.in_trash should be a boolean, instead was `{"a":[1,null]}`.',
    ],
    ['an unknown key', { mood: 1 }, 'body failed validation: body.mood should be not present, instead was `1`.'],
  ])('name location, expectation and value: %s', async (_what, body, message) => {
    expect((await update(body)).body['message']).toBe(message)
  })

  it('say `undefined` for a missing value', async () => {
    const response = await server.owner.call('appendBlockChildren', { path: { block_id: page }, body: {} })
    expect(response.body['message']).toBe('body failed validation: body.children should be defined, instead was `undefined`.')
  })

  it('count lengths in code points', async () => {
    expect((await append([paragraph('🛶'.repeat(2000))])).status).toBe(200)
    const { body } = await append([paragraph('🛶'.repeat(2001))])
    expect(body['message']).toBe(
      'body failed validation: body.children[0].paragraph.rich_text[0].text.content.length should be ≤ `2000`, instead was `2001`.',
    )
  })

  it('cut the value after 100 characters, never within a character', async () => {
    const whole = 'x'.repeat(98)
    expect((await update({ in_trash: whole })).body['message']).toContain(`instead was \`"${whole}"\`.`)
    for (const value of ['x'.repeat(5_000), '🛶'.repeat(5_000), Array.from({ length: 400 }, () => 1)]) {
      const message = String((await update({ in_trash: value })).body['message'])
      const shown = /instead was `(.*)`\.$/s.exec(message)?.[1] ?? ''
      expect(shown.length).toBeGreaterThan(90)
      expect(shown.length).toBeLessThanOrEqual(101)
      expect(message.isWellFormed()).toBe(true)
    }
  })

  it('name only the excess key of an otherwise valid value, and only one of very many', async () => {
    const item = async (more: object): Promise<unknown> =>
      (await append([{ paragraph: { rich_text: [{ ...more }] } }])).body['message']
    const location = 'body failed validation: body.children[0].paragraph.rich_text[0]'
    expect(await item({ text: { content: 'x' }, bold: true })).toBe(
      `${location}.bold should be not present, instead was \`true\`.`,
    )
    const many = Object.fromEntries(Array.from({ length: 9 }, (_none, index) => [`key_${index}`, index]))
    expect(await item(many)).toBe(`${location}.key_0 should be not present, instead was \`0\`.`)
  })

  it('name keys with slashes and tildes unchanged', async () => {
    const location = 'body.properties.a/b~c.number'
    expect((await update({ properties: { 'a/b~c': { number: 'x' } } })).body['message']).toContain(`${location} should be `)
  })

  it('name a list that must be empty, but not its items', async () => {
    const toggle = (...children: object[]): object => ({ toggle: { rich_text: [], children } })
    const { body } = await append([toggle(toggle(toggle({ nonsense: 1 })))])
    const location = 'body.children[0].toggle.children[0].toggle.children[0].toggle.children'
    expect(body['message']).toContain(`${location} should be not present`)
    expect(body['additional_data']).toBeUndefined()
  })

  it('name the discriminator of a union if the variant is unknown', async () => {
    expectInvalid(await update({ icon: { type: 'sticker', sticker: {} } }), 'body.icon.type')
    expectInvalid(await append([{ type: 'sticker', sticker: {} }]), 'body.children[0].type')
  })

  it('list all possible forms when none is evident, one per line, at most 30', async () => {
    for (const [response, location] of [
      [await append([{}]), 'body.children[0].'],
      [await update({ icon: {} }), 'body.icon.'],
    ] as const) {
      expectError(response, 400, 'validation_error')
      const [first, ...lines] = linesOf(response)
      expect(first).toBe('body failed validation. Fix one:')
      expect(lines.length).toBeGreaterThan(1)
      expect(lines.length).toBeLessThanOrEqual(30)
      for (const line of lines)
        expect(line.startsWith(location) && line.includes(' should be defined, instead was `undefined`')).toBe(true)
    }
  })

  it('report one mistake once; for several, they name the first and list at most 20 paths', async () => {
    const one = await append([paragraph('good'), { paragraph: { rich_text: [{ text: { content: 1 } }] } }])
    expectInvalid(one, 'body.children[1].paragraph.rich_text[0].text.content')
    expect(linesOf(one)).toHaveLength(1)
    expect(one.body).not.toHaveProperty('additional_data')
    const many = await append(Array.from({ length: 40 }, () => ({ paragraph: { rich_text: 1 } })))
    expectInvalid(many, 'body.children[0].paragraph.rich_text')
    const paths = at(many.body, 'additional_data', 'failed_paths') as string[]
    expect(paths).toHaveLength(20)
    expect(paths.slice(0, 2)).toEqual(['body.children[0].paragraph.rich_text', 'body.children[1].paragraph.rich_text'])
  })
})

describe('messages of 404', () => {
  it('name kind and dashed id of the object, and the connection with its id', async () => {
    const { body } = await server.owner.call('retrieveBlock', { path: { block_id: GHOST.replaceAll('-', '').toUpperCase() } })
    expect(body['message']).toBe(
      `Could not find block with ID: ${GHOST}. Make sure the relevant pages and databases are shared with your connection.`,
    )
    expect(body['additional_data']).toEqual({ integration_id: exampleWorkspace.connection.id })
  })

  it.each<[string, OperationId, CallParts]>([
    ['page', 'retrievePage', { path: { page_id: GHOST } }],
    ['page', 'movePage', { path: { page_id: GHOST }, body: { parent: { page_id: GHOST } } }],
    ['block', 'listBlockChildren', { path: { block_id: GHOST } }],
    ['database', 'retrieveDatabase', { path: { database_id: GHOST } }],
    ['database', 'createDataSource', { body: { parent: { database_id: GHOST }, properties: { Name: { title: {} } } } }],
    ['data source', 'queryDataSource', { path: { data_source_id: GHOST }, body: {} }],
    ['view', 'retrieveView', { path: { view_id: GHOST } }],
    ['comment', 'retrieveComment', { path: { comment_id: GHOST } }],
    ['user', 'retrieveUser', { path: { user_id: GHOST } }],
    ['file upload', 'retrieveFileUpload', { path: { file_upload_id: GHOST } }],
    ['async task', 'retrieveAsyncTask', { path: { task_id: GHOST } }],
    ['property item', 'retrievePageProperty', { path: { page_id: exampleWorkspace.pages.handbook, property_id: 'nope' } }],
  ])('name a missing %s by its kind: %s', async (kind, id, parts) => {
    const response = await server.owner.call(id, parts)
    expectError(response, 404, 'object_not_found')
    const missing = kind === 'property item' ? 'nope' : GHOST
    expect(response.body['message']).toBe(
      `Could not find ${kind} with ID: ${missing}. Make sure the relevant pages and databases are shared with your connection.`,
    )
    expect(response.body['additional_data']).toEqual({ integration_id: exampleWorkspace.connection.id })
  })

  it('name no connection for a personal token', async () => {
    const member = await makeMember(server, exampleWorkspace.people[0].id)
    const response = await member.call('retrieveBlock', { path: { block_id: GHOST } })
    expectError(response, 404, 'object_not_found', GHOST)
    expect(response.body).not.toHaveProperty('additional_data')
  })
})

describe('error messages that clients match', () => {
  it.each([undefined, 'nope', 'ntn_0123456789abcdefghij'])('have their fixed text for 401 with the token %s', async (token) => {
    const response = await server.caller(token).call('retrieveMe')
    expectError(response, 401, 'unauthorized')
    expect(response.body['message']).toBe('API token is invalid.')
  })

  it.each(['{', '{"query": }', 'query=tide'])('have their fixed text for 400 with the body %j', async (body) => {
    const headers = { 'Content-Type': 'application/json' }
    const response = await server.owner.send('POST', '/v1/pages', { body, headers })
    expectError(response, 400, 'invalid_json')
    expect(response.body['message']).toBe('Error parsing JSON body.')
  })
})
