import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sweep, sweepFiles } from '../../harness/sweeps.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection } from '../../harness/connections.ts'
import { append, appendOne, children, makePage, text } from '../../harness/content.ts'
import { expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { create, mp4, pdf, png, upload, wav } from '../../harness/files.ts'
import { at, idOf, resultsOf, textAt, type Json, type JsonObject } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const HOUR_MS = 3_600_000

const ids: Record<string, string> = {}
const server = await serverOfFile()
const page = await makePage(server.owner)
ids['image'] = await upload(server.owner, png, 'dock.png')
ids['video'] = await upload(server.owner, mp4, 'tides.mp4', 'video/mp4')
ids['film'] = await upload(server.owner, mp4, 'film.mp4')
ids['audio'] = await upload(server.owner, wav, 'horn.wav')
ids['pdf'] = await upload(server.owner, pdf, 'plan.pdf')
ids['html'] = await upload(server.owner, '<p>High water 10:40</p>', 'tides.html')
ids['text'] = await upload(server.owner, 'High water 10:40', 'tides.txt')

const upload_ = (name: string): object => ({ file_upload: { id: ids[name] ?? name } })
const link = (file: string): RegExp =>
  new RegExp(`^${server.url}/files/[0-9a-f]{32}/[0-9a-f]{32}/${file}\\?expires=\\d+&signature=`)
const block = async (id: string): Promise<JsonObject> =>
  (await server.owner.call('retrieveBlock', { path: { block_id: id } })).body
const state = async (name: string): Promise<Json | undefined> =>
  at((await server.owner.call('retrieveFileUpload', { path: { file_upload_id: ids[name] ?? '' } })).body, 'expiry_time')
const inAnHour = (): string => new Date(server.clock.now() + HOUR_MS).toISOString()

describe('uploads in blocks, pages and comments', () => {
  it('200 for files of its kind in each media block, and of any kind in a file block, with a signed URL', async () => {
    const pairs = [
      ['image', 'image'],
      ['video', 'video'],
      ['video', 'film'],
      ['audio', 'audio'],
      ['audio', 'film'],
      ['pdf', 'pdf'],
      ['embed', 'html'],
      ['file', 'text'],
      ['file', 'image'],
    ] as const
    for (const [type, name] of pairs) {
      const id = await appendOne(server.owner, page, { [type]: { ...upload_(name), caption: [text('Dock')] } })
      const content = at(await block(id), type)
      expect(content).toMatchObject({ type: 'file', file: { expiry_time: inAnHour() } })
      expect(textAt(content, 'file', 'url')).toMatch(link('\\w+\\.\\w+'))
      expect(content).not.toHaveProperty('file_upload')
      expect(content).not.toHaveProperty('external')
    }
    expect(await state('image')).toBeNull()
  })

  it.each([
    ['image', 'pdf'],
    ['image', 'text'],
    ['video', 'image'],
    ['audio', 'video'],
    ['pdf', 'image'],
    ['embed', 'text'],
    ['embed', 'image'],
  ])('400 when a block of type %s gets a %s file', async (type, name) => {
    const response = await server.owner.call('appendBlockChildren', {
      path: { block_id: page },
      body: { children: [{ [type]: upload_(name) }] },
    })
    expectInvalid(response, `body.children[0].${type}.file_upload.id`)
  })

  it('200 for an embed of an HTML file, with a signed URL that works for an hour', async () => {
    const id = await appendOne(server.owner, page, { embed: { ...upload_('html'), caption: [text('Tides')] } })
    const content = at(await block(id), 'embed')
    const url = textAt(content, 'url')
    expect(content).toStrictEqual({
      url,
      type: 'file',
      file: { url, expiry_time: inAnHour() },
      caption: [expect.objectContaining({ plain_text: 'Tides' })],
    })
    const open = async (): Promise<number> =>
      (await server.owner.page(url.slice(server.url.length), 'GET', { Authorization: undefined })).status
    expect(await open()).toBe(200)
    server.clock.advance(HOUR_MS)
    expect(await open()).toBe(403)
    expect(textAt(await block(id), 'embed', 'url')).not.toBe(url)
  })

  it('400 for an embed with both a link and an upload, or with neither', async () => {
    for (const embed of [{ ...upload_('html'), url: 'https://example.org' }, {}]) {
      const response = await server.owner.call('appendBlockChildren', {
        path: { block_id: page },
        body: { children: [{ embed }] },
      })
      expect(response.status).toBe(400)
      expect(response.body['message']).toContain('body.children[0].embed')
    }
  })

  it('200 from updateBlock when an embed changes between a file and a link', async () => {
    const id = await appendOne(server.owner, page, { embed: { ...upload_('html'), caption: [text('Tides')] } })
    const update = async (embed: unknown): Promise<TestResponse> =>
      server.owner.call('updateBlock', { path: { block_id: id }, body: { embed } })
    const read = at(await block(id), 'embed')
    const ofFile = { type: 'file', caption: [expect.objectContaining({ plain_text: 'Tides' })] }
    for (const same of [read, { url: at(read, 'url') }, { type: 'file', file: at(read, 'file') }, {}])
      expect((await update(same)).body['embed']).toMatchObject(ofFile)
    expect((await update({ caption: [] })).body['embed']).toMatchObject({ type: 'file', caption: [] })
    const url = 'https://example.org/tides'
    expect((await update({ url })).body['embed']).toStrictEqual({ url, caption: [] })
    expectInvalid(await update({ file: at(read, 'file') }), 'body.embed.file.url')
    expectInvalid(await update(upload_('pdf')), 'body.embed.file_upload.id')
    expect((await update({ caption: [text('Later')] })).body['embed']).toMatchObject({ url })
    expect((await update(upload_('html'))).body['embed']).toMatchObject({ type: 'file' })
  })

  it("400 for a pending or expired upload, and 404 for an unknown one or another bot's", async () => {
    const attach = (id: string, caller = server.owner): ReturnType<typeof server.owner.call> =>
      caller.call('appendBlockChildren', { path: { block_id: page }, body: { children: [{ image: { file_upload: { id } } }] } })
    const pending = idOf(await create(server.owner, { filename: 'a.png' }))
    expectInvalid(await attach(pending), 'body.children[0].image.file_upload.id')
    expect((await attach(pending)).body['message']).toContain(`${pending} is pending`)
    const late = await upload(server.owner, png, 'late.png')
    server.clock.advance(HOUR_MS)
    expect((await attach(late)).body['message']).toContain(`${late} is expired`)
    await sweep(server.service.database, server.clock.now())
    expect((await attach(late)).body['message']).toContain(`${late} is expired`)
    const unknown = randomUUID()
    expectNotFound(await attach(unknown), unknown)
    const { caller } = await makeConnection(server, { capabilities: ['insert_content', 'read_content'], grants: [page] })
    expectNotFound(await attach(ids['image'] ?? '', caller), ids['image'] ?? '')
  })

  it('200 for a used upload, even 25 hours later and after its first block was deleted', async () => {
    const first = await appendOne(server.owner, page, { image: upload_('image') })
    await server.owner.call('deleteBlock', { path: { block_id: first } })
    server.clock.advance(25 * HOUR_MS)
    await sweep(server.service.database, server.clock.now())
    await sweepFiles(server.service.database, server.service.vault, server.clock.now())
    const second = await appendOne(server.owner, page, { image: upload_('image') })
    const third = await appendOne(server.owner, page, { file: upload_('image') })
    for (const [id, type] of [[second, 'image'] as const, [third, 'file'] as const]) {
      const url = textAt(await block(id), type, 'file', 'url')
      expect((await server.owner.page(url.slice(server.url.length), 'GET', { Authorization: undefined })).bytes).toStrictEqual(
        png,
      )
    }
  })

  it('200 for several uploads, which are attached permanently', async () => {
    const uploads = [await upload(server.owner, png, 'a.png'), await upload(server.owner, png, 'b.png')]
    await append(
      server.owner,
      page,
      uploads.map((id) => ({ image: { file_upload: { id } } })),
    )
    for (const id of uploads) {
      const { body } = await server.owner.call('retrieveFileUpload', { path: { file_upload_id: id } })
      expect(body).toMatchObject({ status: 'uploaded', expiry_time: null })
    }
  })

  it('200 with a newly signed URL for every read', async () => {
    const id = await appendOne(server.owner, page, { pdf: upload_('pdf') })
    const first = at(await block(id), 'pdf', 'file')
    server.clock.advance(1000)
    const second = at(await block(id), 'pdf', 'file')
    expect(textAt(second, 'url')).not.toBe(textAt(first, 'url'))
    expect(textAt(second, 'expiry_time')).toBe(inAnHour())
  })

  it('200 from an update that replaces the file, and keeps the caption and a given name', async () => {
    const id = await appendOne(server.owner, page, { file: { ...upload_('pdf'), caption: [text('Dock')] } })
    const update = async (file: object): Promise<Json | undefined> =>
      at((await server.owner.call('updateBlock', { path: { block_id: id }, body: { file } })).body, 'file')
    expect(at(await block(id), 'file')).toMatchObject({ name: 'plan.pdf' })
    expect(await update(upload_('text'))).toMatchObject({ name: 'tides.txt', type: 'file', caption: [{ plain_text: 'Dock' }] })
    expect(await update({ name: 'table' })).toMatchObject({ name: 'table.txt', type: 'file' })
    expect(await update({ external: { url: 'https://files.example/x.pdf' } })).toMatchObject({
      type: 'external',
      external: { url: 'https://files.example/x.pdf' },
      name: 'table.pdf',
      caption: [{ plain_text: 'Dock' }],
    })
    expect(at(await block(id), 'file')).not.toHaveProperty('file')
    expect(await update(upload_('image'))).toMatchObject({ type: 'file', name: 'table.png' })
    expect(await update({ caption: [] })).toMatchObject({ type: 'file', name: 'table.png', caption: [] })
    const response = await server.owner.call('updateBlock', {
      path: { block_id: id },
      body: { file: { ...upload_('image'), external: { url: 'https://files.example/x.pdf' } } },
    })
    expectInvalid(response, 'body.file.external')
  })

  it('200 for images as icons and covers of pages; 400 for other files, pending uploads, and the icon of a callout', async () => {
    const { body } = await server.owner.call('createPage', {
      body: { parent: { page_id: page }, icon: upload_('image'), cover: upload_('image') },
    })
    const id = idOf(body)
    for (const part of ['icon', 'cover']) expect(textAt(body, part, 'file', 'url')).toMatch(link('dock.png'))
    const update = (changes: object): ReturnType<typeof server.owner.call> =>
      server.owner.call('updatePage', { path: { page_id: id }, body: changes })
    expectInvalid(await update({ icon: upload_('pdf') }), 'body.icon.file_upload.id')
    expectInvalid(await update({ cover: upload_('video') }), 'body.cover.file_upload.id')
    const pending = idOf(await create(server.owner, { filename: 'a.png' }))
    expectInvalid(await update({ cover: upload_(pending) }), 'body.cover.file_upload.id')
    expect((await update({ icon: null, cover: null })).body).toMatchObject({ icon: null, cover: null })
    expect((await update({ cover: upload_('image') })).body).toMatchObject({ cover: { type: 'file' } })
    const callout = await server.owner.call('appendBlockChildren', {
      path: { block_id: page },
      body: { children: [{ callout: { rich_text: [], icon: upload_('image') } }] },
    })
    expectInvalid(callout, 'body.children[0].callout.icon.file_upload')
  })

  it('200 for comments with files of any kind, with their category', async () => {
    const comment = async (...names: string[]): Promise<Json | undefined> => {
      const { body } = await server.owner.call('createComment', {
        body: {
          parent: { page_id: page },
          rich_text: [text('See')],
          attachments: names.map((name) => ({ file_upload_id: ids[name] ?? name })),
        },
      })
      return body
    }
    expect(at(await comment('image', 'film', 'audio'), 'attachments')).toMatchObject([
      { category: 'image', file: { expiry_time: inAnHour() } },
      { category: 'video' },
      { category: 'audio' },
    ])
    expect(at(await comment('pdf', 'text'), 'attachments')).toMatchObject([{ category: 'pdf' }, { category: 'productivity' }])
    expect(await comment()).not.toHaveProperty('attachments')
    const pending = idOf(await create(server.owner))
    expect(at(await comment(pending), 'message')).toContain('body.attachments[0].file_upload_id')
    const { body } = await server.owner.call('listComments', { query: { block_id: page } })
    expect(resultsOf(body).map((one) => at(one, 'attachments', 0, 'category'))).toStrictEqual(
      expect.arrayContaining(['image', 'pdf', undefined]),
    )
  })

  it("200 for Markdown that attaches uploads and keeps the page's files", async () => {
    const { body } = await server.owner.call('createPage', {
      body: { parent: { page_id: page }, markdown: `![Dock](file-upload://${ids['image']})` },
    })
    const id = idOf(body)
    const [image] = await children(server.owner, id)
    expect(image).toMatchObject({ type: 'image', image: { type: 'file', caption: [{ plain_text: 'Dock' }] } })
    const shown = await server.owner.call('retrievePageMarkdown', { path: { page_id: id } })
    const markdown = textAt(shown.body, 'markdown')
    const address = /\]\((.+)\)/.exec(markdown)?.[1] ?? ''
    expect(address).toMatch(link('dock.png'))
    expect(new URL(address).searchParams.get('expires'), 'an hour later').toBe(String(server.clock.now() + HOUR_MS))

    const { caller } = await makeConnection(server, { capabilities: ['read_content', 'update_content'], grants: [id] })
    const replace = (new_str: string): ReturnType<typeof server.owner.call> =>
      caller.call('updatePageMarkdown', {
        path: { page_id: id },
        body: { type: 'replace_content', replace_content: { new_str, allow_deleting_content: true } },
      })
    expect((await replace(`Above\n${markdown}`)).status).toBe(200)
    expect((await children(server.owner, id)).map(idOf)).toContain(idOf(image))
    expect((await replace(`${markdown}\n${markdown.replace('Dock', 'Again')}`)).status).toBe(200)
    const after = await children(server.owner, id)
    expect(after.map((one) => at(one, 'image', 'type'))).toStrictEqual(['file', 'file'])
    const other = await makePage(server.owner, 'Elsewhere')
    const moved = await server.owner.call('updatePageMarkdown', {
      path: { page_id: other },
      body: { type: 'replace_content', replace_content: { new_str: markdown } },
    })
    expect(moved.status).toBe(200)
    expect((await children(server.owner, other)).map((one) => at(one, 'image', 'type'))).toStrictEqual(['external'])
  })
})
