import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection } from '../../harness/connections.ts'
import { makePage } from '../../harness/content.ts'
import { makeDatabase, makeRow, valuesOf } from '../../harness/databases_content.ts'
import { expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { create, pdf, png, upload } from '../../harness/files.ts'
import { idOf, textAt, type Json, type JsonObject } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const HOUR_MS = 3_600_000
const WEB = { name: 'web', type: 'external', external: { url: 'https://files.example/a.pdf' } }

const ids: Record<string, string> = {}
const server = await serverOfFile()
const page = await makePage(server.owner)
const source = (await makeDatabase(server.owner, page, { Plan: { files: {} } })).sourceId
ids['png'] = await upload(server.owner, png, 'dock.png')
ids['pdf'] = await upload(server.owner, pdf, 'plan.pdf')

const uploaded = (name: string, more: object = {}): object => ({ file_upload: { id: ids[name] ?? name }, ...more })
const makeWith = (...files: object[]): Promise<JsonObject> => makeRow(server.owner, source, { Plan: { files } })
const update = (row: string, files: unknown, caller = server.owner): Promise<TestResponse> =>
  caller.call('updatePage', { path: { page_id: row }, body: { properties: { Plan: { files } } } })
const filesOf = async (row: string): Promise<JsonObject[]> => (await valuesOf(server.owner, row))['Plan'] as JsonObject[]
const open = async (entry: Json | undefined): Promise<Buffer | undefined> =>
  (await server.owner.page(textAt(entry, 'file', 'url').slice(server.url.length), 'GET', { Authorization: undefined })).bytes
const signed = (file: string): object => ({
  url: expect.stringMatching(new RegExp(`^${server.url}/files/[0-9a-f]{32}/[0-9a-f]{32}/${file}\\?expires=`)) as string,
  expiry_time: new Date(server.clock.now() + HOUR_MS).toISOString(),
})

describe('updatePage: uploads in values of rows', () => {
  it("200 with signed files under the sent name or the upload's name", async () => {
    const row = idOf(await makeWith(uploaded('png'), uploaded('pdf', { name: 'Berths', type: 'file_upload' }), WEB))
    const files = await filesOf(row)
    expect(files).toStrictEqual([
      { name: 'dock.png', type: 'file', file: signed('dock.png') },
      { name: 'Berths', type: 'file', file: signed('plan.pdf') },
      WEB,
    ])
    expect([await open(files[0]), await open(files[1])]).toStrictEqual([png, pdf])
    const { body } = await server.owner.call('retrieveFileUpload', { path: { file_upload_id: ids['png'] ?? '' } })
    expect(body).toMatchObject({ status: 'uploaded', expiry_time: null })
  })

  it('200 with files kept when sent back, in any order and under new names', async () => {
    const row = idOf(await makeWith(uploaded('png'), uploaded('pdf', { name: 'Berths' }), WEB))
    const before = await filesOf(row)
    expect((await update(row, before)).status).toBe(200)
    expect(await filesOf(row)).toStrictEqual(before)
    const [first, second] = before
    const shuffled = [WEB, { name: 'Slipway', file: { url: textAt(second, 'file', 'url') } }, first]
    expect((await update(row, shuffled)).status).toBe(200)
    expect(await filesOf(row)).toMatchObject([WEB, { name: 'Slipway', type: 'file' }, { name: 'dock.png' }])
    // The editor of the page may be someone other than the uploader.
    const { caller } = await makeConnection(server, { capabilities: ['update_content', 'read_content'], grants: [row] })
    const [, kept] = await filesOf(row)
    expect((await update(row, [kept], caller)).status).toBe(200)
    expect(await open((await filesOf(row))[0])).toStrictEqual(pdf)
  })

  it('400 validation_error for a link that has expired, was altered, or belongs to another page', async () => {
    const row = idOf(await makeWith(uploaded('png')))
    const other = idOf(await makeWith(uploaded('pdf')))
    const [[own], [foreign]] = [await filesOf(row), await filesOf(other)]
    const url = textAt(own, 'file', 'url')
    const refused = [
      textAt(foreign, 'file', 'url'),
      url.replace(/signature=..../, 'signature=AAAA'),
      url.replace(/\?.*/, ''),
      url.replace(server.url, 'https://files.example'),
      'https://files.example/a.pdf',
    ]
    const location = 'body.properties.Plan.files[0].file.url'
    for (const address of refused) expectInvalid(await update(row, [{ name: 'a', file: { url: address } }]), location)
    const create = await server.owner.call('createPage', {
      body: { parent: { data_source_id: source }, properties: { Plan: { files: [own] } } },
    })
    expectInvalid(create, location)
    expectInvalid(await update(row, [{ file: { url } }]), 'body.properties.Plan.files[0].name')
    server.clock.advance(HOUR_MS)
    expectInvalid(await update(row, [own]), location)
    expect(await filesOf(row)).toMatchObject([{ name: 'dock.png' }])
  })

  it("400 for a pending upload, and 404 for an unknown one or another bot's", async () => {
    const pending = idOf(await create(server.owner, { filename: 'a.png' }))
    const row = idOf(await makeWith())
    const response = await update(row, [WEB, uploaded(pending)])
    expectInvalid(response, 'body.properties.Plan.files[1].file_upload.id')
    expect(response.body['message']).toContain(`${pending} is pending`)
    const unknown = randomUUID()
    expectNotFound(await update(row, [uploaded(unknown)]), unknown)
    const { caller } = await makeConnection(server, { capabilities: ['update_content', 'insert_content'], grants: [row] })
    expectNotFound(await update(row, [uploaded('png')], caller), ids['png'] ?? '')
    expect(await filesOf(row)).toStrictEqual([])
  })
})

describe('createDatabase, createPage: uploads as pictures', () => {
  it('200 for icons and covers', async () => {
    const { id } = await makeDatabase(server.owner, page, {}, { icon: uploaded('png'), cover: uploaded('png') })
    const { body } = await server.owner.call('retrieveDatabase', { path: { database_id: id } })
    for (const part of ['icon', 'cover']) expect(body).toMatchObject({ [part]: { type: 'file', file: signed('dock.png') } })
    expect(await open(body['cover'])).toStrictEqual(png)
    const row = await makeRow(server.owner, source, {}, { icon: uploaded('png'), cover: uploaded('png') })
    expect(row).toMatchObject({ icon: { file: signed('dock.png') }, cover: { file: signed('dock.png') } })
  })

  it.each(['icon', 'cover'])('400 validation_error for a %s that is not a picture', async (part) => {
    const body = { parent: { page_id: page }, initial_data_source: {}, [part]: uploaded('pdf') }
    const response = await server.owner.call('createDatabase', { body })
    expectInvalid(response, `body.${part}.file_upload.id`)
    expect(response.body['message']).toContain('application/pdf')
  })
})
