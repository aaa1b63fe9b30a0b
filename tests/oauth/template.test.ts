import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { createPersonalToken } from '../../server/domain/administration/tokens.ts'
import { createWorkspace } from '../../server/domain/administration/workspaces.ts'
import { sweep, sweepFiles } from '../harness/sweeps.ts'
import type { Caller } from '../harness/caller.ts'
import { Browser, hiddenFields } from '../harness/browser.ts'
import { makeConnection } from '../harness/connections.ts'
import { append, appendOne, children, makePage, plainTexts, text } from '../harness/content.ts'
import { pdf, png, upload } from '../harness/files.ts'
import { idOf, resultsOf, textAt, type JsonObject } from '../harness/json.ts'
import { authorize, authorizeAddress, EVERYTHING, makeClient, obtainCode, readTokens, RETURN_URI } from '../harness/oauth.ts'
import { serverOfFile } from '../harness/server.ts'

const server = await serverOfFile()
const template = await makePage(server.owner, 'Starter kit')
await server.owner.call('updatePage', { path: { page_id: template }, body: { icon: { emoji: '⛵' }, is_locked: true } })
const subPage = await makePage(server.owner, 'First steps', template)
const original = await appendOne(server.owner, template, {
  synced_block: { synced_from: null, children: [{ paragraph: { rich_text: [text('kept in step')] } }] },
})
await append(server.owner, template, [
  { synced_block: { synced_from: { block_id: original } } },
  { link_to_page: { page_id: subPage } },
  { link_to_page: { page_id: exampleWorkspace.pages.handbook } },
  {
    paragraph: {
      rich_text: [text('See '), { mention: { page: { id: subPage } } }],
      children: [{ to_do: { rich_text: [text('nested')], checked: true } }],
    },
  },
  { table: { table_width: 1, children: [{ table_row: { cells: [[text('cell')]] } }] } },
])
const trashed = await appendOne(server.owner, template, { paragraph: { rich_text: [text('thrown away')] } })
await server.owner.call('deleteBlock', { path: { block_id: trashed } })
const client = await makeClient(server, { templatePageId: template })

function contentOf(block: JsonObject | undefined): JsonObject {
  const content = block?.[String(block['type'])]
  if (typeof content !== 'object' || content === null || Array.isArray(content)) throw new Error(JSON.stringify(block))
  return content
}

describe("an authorization with the connection's template", () => {
  it('copies the whole page tree, with references between its parts', async () => {
    const { caller, body } = await authorize(server, client, { takesTemplate: true })
    const copy = textAt(body, 'duplicated_template_id')
    expect(copy).not.toBe(template)
    const page = (await caller.call('retrievePage', { path: { page_id: copy } })).body
    expect(page).toMatchObject({
      parent: { type: 'workspace', workspace: true },
      icon: { emoji: '⛵' },
      is_locked: false,
      created_by: { id: exampleWorkspace.people[0].id },
    })
    const [copied, source] = [await children(caller, copy), await children(server.owner, template)]
    expect(copied.map(({ type }) => type)).toStrictEqual(source.map(({ type }) => type))
    expect(plainTexts(copied)).toStrictEqual(plainTexts(source))
    expect(JSON.stringify(copied)).not.toContain('thrown away')
    const [sub, origin, mirror, link, outward, paragraph, table] = copied
    expect(new Set([...copied, ...source].map(idOf)).size).toBe(copied.length * 2)
    expect(contentOf(mirror)['synced_from']).toMatchObject({ block_id: idOf(origin) })
    expect(plainTexts(await children(caller, idOf(mirror)))).toStrictEqual(['kept in step'])
    expect(contentOf(link)['page_id']).toBe(idOf(sub))
    expect(contentOf(outward)['page_id']).toBe(exampleWorkspace.pages.handbook)
    expect(JSON.stringify(paragraph)).toContain(idOf(sub))
    expect(plainTexts(await children(caller, idOf(paragraph)))).toStrictEqual(['nested'])
    expect(await children(caller, idOf(table))).toHaveLength(1)
    expect((await caller.call('retrievePage', { path: { page_id: idOf(sub) } })).body['parent']).toMatchObject({ page_id: copy })
  })

  it('keeps the copy private to the member, and shares it only with the bot', async () => {
    const { caller, body } = await authorize(server, client, { takesTemplate: true })
    const copy = textAt(body, 'duplicated_template_id')
    const tokenOf = async (person: number): Promise<Caller> => {
      const options = { workspaceId: exampleWorkspace.workspace.id, personId: exampleWorkspace.people[person]?.id ?? '' }
      return server.caller(
        (await server.service.database.write((db) => createPersonalToken(db, options, server.clock.now()))).token,
      )
    }
    const seen = async (by: Caller, page = copy): Promise<number> =>
      (await by.call('retrievePage', { path: { page_id: page } })).status
    expect([await seen(caller), await seen(await tokenOf(0)), await seen(await tokenOf(1))]).toStrictEqual([200, 200, 404])
    expect(await seen(caller, template)).toBe(404)
    const neighbor = await authorize(server, client, { email: exampleWorkspace.people[1].email, takesTemplate: true })
    expect([
      await seen(neighbor.caller),
      await seen(neighbor.caller, String(neighbor.body['duplicated_template_id'])),
    ]).toStrictEqual([404, 200])
  })

  it('lets the bot change the copy without effect on the template', async () => {
    const { caller, body } = await authorize(server, client, { takesTemplate: true })
    const before = await children(server.owner, template)
    await append(caller, textAt(body, 'duplicated_template_id'), [{ paragraph: { rich_text: [text('mine')] } }])
    expect(await children(server.owner, template)).toStrictEqual(before)
  })

  it('returns the id of the copy even in refreshes, and null without a template', async () => {
    const first = await authorize(server, client, { takesTemplate: true })
    const again = readTokens(
      server,
      await client.call('createToken', { grant_type: 'refresh_token', refresh_token: first.refreshToken }),
    )
    expect(again.body['duplicated_template_id']).toBe(first.body['duplicated_template_id'])
    expect((await authorize(server, client)).body['duplicated_template_id']).toBeNull()
  })

  it('creates no copy before the exchange, or for a failing code', async () => {
    const count = async (): Promise<number> =>
      (
        await server.service.database.read((db) =>
          db.get({ count: 'integer' }, `select count(*) as count from blocks where parent_type = 'workspace'`),
        )
      )?.count ?? -1
    const before = await count()
    const code = await obtainCode(server, client, { takesTemplate: true })
    expect((await client.call('createToken', { grant_type: 'authorization_code', code })).status).toBe(400)
    expect(await count()).toBe(before)
    expect((await client.call('createToken', { grant_type: 'authorization_code', code, redirect_uri: RETURN_URI })).status).toBe(
      200,
    )
    expect(await count()).toBe(before + 1)
  })

  it('gets 400 invalid_grant, and stores nothing, if the template is in the trash by then', async () => {
    const passing = await makePage(server.owner, 'Passing')
    const fickle = await makeClient(server, { name: 'Fickle', templatePageId: passing })
    const code = await obtainCode(server, fickle, { takesTemplate: true })
    await server.owner.call('updatePage', { path: { page_id: passing }, body: { in_trash: true } })
    const response = await fickle.call('createToken', { grant_type: 'authorization_code', code, redirect_uri: RETURN_URI })
    expect({ status: response.status, error: response.body['error'] }).toStrictEqual({ status: 400, error: 'invalid_grant' })
    expect(JSON.stringify((await server.owner.call('listUsers')).body)).not.toContain('Fickle')
  })

  it('does not share pages that were chosen before the template', async () => {
    const browser = new Browser(server)
    await browser.signIn(server, exampleWorkspace.people[0].email)
    const fresh = await makeClient(server, { templatePageId: template })
    const form = {
      ...hiddenFields((await browser.open(authorizeAddress(fresh))).text),
      workspace_id: exampleWorkspace.workspace.id,
    }
    const { headers } = await browser.submit('/v1/oauth/authorize', {
      ...form,
      decision: 'allow',
      use_template: 'true',
      page_ids: exampleWorkspace.pages.handbook,
    })
    const code = new URL(String(headers.location)).searchParams.get('code') ?? ''
    const grant = { grant_type: 'authorization_code', code, redirect_uri: RETURN_URI }
    const { caller } = readTokens(server, await fresh.call('createToken', grant))
    expect((await caller.call('retrievePage', { path: { page_id: exampleWorkspace.pages.handbook } })).status).toBe(404)
  })

  it('redirects with invalid_request if the template was trashed while the page was open', async () => {
    const passing = await makePage(server.owner, 'Passing')
    const fickle = await makeClient(server, { name: 'Fickle', templatePageId: passing })
    const browser = new Browser(server)
    await browser.signIn(server, exampleWorkspace.people[0].email)
    const form = {
      ...hiddenFields((await browser.open(authorizeAddress(fickle))).text),
      workspace_id: exampleWorkspace.workspace.id,
    }
    await server.owner.call('updatePage', { path: { page_id: passing }, body: { in_trash: true } })
    const { headers } = await browser.submit('/v1/oauth/authorize', { ...form, decision: 'allow', use_template: 'true' })
    const { searchParams } = new URL(String(headers.location))
    expect([searchParams.get('error'), searchParams.get('code')]).toEqual(['invalid_request', null])
  })

  it('copies each file of a template once to another workspace', async () => {
    const workspaceId = await server.service.database.write((db) => createWorkspace(db, 'Chandlery', server.clock.now()))
    const { caller: owner } = await makeConnection(server, { capabilities: EVERYTHING, grants: [workspaceId], workspaceId })
    const [picture, plan] = [await upload(owner, png, 'dock.png'), await upload(owner, pdf, 'plan.pdf')]
    const page = await makePage(owner, 'Starter kit of the chandlery')
    const file_upload = { id: picture }
    await owner.call('updatePage', { path: { page_id: page }, body: { icon: { file_upload }, cover: { file_upload } } })
    await append(owner, await makePage(owner, 'Plans', page), [{ pdf: { file_upload: { id: plan } } }])
    const chandler = await makeClient(server, { workspaceId, name: 'Chandler', templatePageId: page })

    for (const _turn of [1, 2]) {
      const { caller, body } = await authorize(server, chandler, { takesTemplate: true })
      const id = textAt(body, 'duplicated_template_id')
      const copy = (await caller.call('retrievePage', { path: { page_id: id } })).body
      const [sub] = await children(caller, id)
      const [block] = await children(caller, idOf(sub))
      const links = [
        textAt(copy, 'icon', 'file', 'url'),
        textAt(copy, 'cover', 'file', 'url'),
        textAt(block, 'pdf', 'file', 'url'),
      ]
      const opened = await Promise.all(links.map((link) => caller.page(link.slice(server.url.length))))
      expect(opened.map(({ bytes }) => bytes)).toStrictEqual([png, png, pdf])
      for (const link of links) expect(link).toContain(exampleWorkspace.workspace.id.replaceAll('-', ''))
      // The copy belongs to a page, not a bot: nobody in the other workspace has created the upload.
      expect(resultsOf((await caller.call('listFileUploads')).body)).toStrictEqual([])
      expect((await caller.call('retrieveFileUpload', { path: { file_upload_id: picture } })).status).toBe(404)
      server.clock.advance(3_600_000)
      await sweep(server.service.database, server.clock.now())
      await sweepFiles(server.service.database, server.service.vault, server.clock.now())
    }
  })
})
