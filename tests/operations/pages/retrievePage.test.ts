import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { appendOne, makePage, paragraph, text } from '../../harness/content.ts'
import { makeConnection } from '../../harness/connections.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { at, idOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()

const retrieve = (
  id: string,
  query: Record<string, string | string[]> | string = {},
  caller = server.owner,
): ReturnType<typeof caller.call> => caller.call('retrievePage', { path: { page_id: id }, query })

describe('retrievePage', () => {
  it('200 with a page of the example workspace, including its native icon', async () => {
    const { status, body } = await retrieve(exampleWorkspace.pages.handbook)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      object: 'page',
      id: exampleWorkspace.pages.handbook,
      parent: { type: 'workspace', workspace: true },
      icon: { type: 'icon', icon: { name: 'anchor', color: 'blue' } },
      cover: null,
      created_by: { object: 'user', id: exampleWorkspace.people[0].id },
      url: `${server.url}/Workshop-handbook-${exampleWorkspace.pages.handbook.replaceAll('-', '')}`,
      public_url: null,
    })
    expect(body).not.toHaveProperty('archived')
  })

  it('200 for every spelling of the id', async () => {
    const plain = exampleWorkspace.pages.handbook.replaceAll('-', '')
    for (const id of [plain, plain.toUpperCase(), exampleWorkspace.pages.handbook.toUpperCase()])
      expect(idOf((await retrieve(id)).body)).toBe(exampleWorkspace.pages.handbook)
  })

  it('200 for a page in the trash or below a page in the trash', async () => {
    const page = await makePage(server.owner)
    const sub = await makePage(server.owner, 'Sub-page', page)
    await server.owner.call('deleteBlock', { path: { block_id: page } })
    expect((await retrieve(page)).body).toMatchObject({ in_trash: true, is_archived: false })
    expect((await retrieve(sub)).body).toMatchObject({ in_trash: false })
  })

  it('200 with only the properties that filter_properties lists by plain or percent-encoded id; unknown ones are ignored', async () => {
    const shown = async (query: Record<string, string | string[]> | string): Promise<string[]> =>
      Object.keys((await retrieve(exampleWorkspace.pages.handbook, query)).body['properties'] ?? {})
    expect(await shown({})).toStrictEqual(['title'])
    expect(await shown({ filter_properties: ['title', 'nope'] })).toStrictEqual(['title'])
    expect(await shown({ filter_properties: ['nope'] })).toStrictEqual([])
    expect(await shown('filter_properties=%74itle')).toStrictEqual(['title'])
    expect(await shown('filter_properties[]=title&filter_properties[]=x')).toStrictEqual(['title'])
  })

  it('200 with names of mentioned users in a title only for callers with user information', async () => {
    const { body } = await server.owner.call('createPage', {
      body: { properties: { title: [{ mention: { user: { id: exampleWorkspace.people[1].id } } }] } },
    })
    const { caller } = await makeConnection(server, { capabilities: ['read_content'], grants: [idOf(body)] })
    expect(at((await retrieve(idOf(body))).body, 'properties', 'title', 'title', 0, 'plain_text')).toBe('@Tomas Reyes')
    const anonymous = await retrieve(idOf(body), {}, caller)
    expect(at(anonymous.body, 'properties', 'title', 'title', 0, 'plain_text')).toBe('@Anonymous')
    expect(anonymous.text).not.toContain('Tomas')
  })

  it('200 for titles that mention each other, without an endless loop', async () => {
    const first = await makePage(server.owner, 'First')
    const second = idOf(
      (
        await server.owner.call('createPage', {
          body: { properties: { title: [{ mention: { page: { id: first } } }, text(' again')] } },
        })
      ).body,
    )
    await server.owner.call('updatePage', {
      path: { page_id: first },
      body: { properties: { title: [{ mention: { page: { id: second } } }] } },
    })
    expect((await retrieve(first)).status).toBe(200)
  })

  it('400 validation_error for a malformed id, or the id of a block or database, naming the kind', async () => {
    expectInvalid(await retrieve('handbook'), 'path.page_id')
    const id = await appendOne(server.owner, await makePage(server.owner), paragraph('x'))
    expectInvalid(await retrieve(id), 'block')
    expectInvalid(await retrieve(exampleWorkspace.repairLog), 'database')
    expectInvalid(await retrieve(exampleWorkspace.repairLog), 'path.page_id')
  })

  it('400 validation_error for 101 filter_properties, an empty one, or an unknown parameter', async () => {
    expectInvalid(
      await retrieve(exampleWorkspace.pages.handbook, { filter_properties: Array.from({ length: 101 }, () => 'x') }),
      'query.filter_properties.length',
    )
    expectInvalid(await retrieve(exampleWorkspace.pages.handbook, 'filter_properties='), 'query.filter_properties[0].length')
    expectInvalid(await retrieve(exampleWorkspace.pages.handbook, 'page_size=1'), 'query.page_size')
  })

  it('401 unauthorized without a token', async () => {
    expectError(await retrieve(exampleWorkspace.pages.handbook, {}, server.caller(undefined)), 401, 'unauthorized')
  })

  it('403 restricted_resource without the capability to read content, even if the page is missing', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['insert_content'], grants: [exampleWorkspace.workspace.id] })
    for (const id of [exampleWorkspace.pages.handbook, randomUUID()])
      expectError(await retrieve(id, {}, caller), 403, 'restricted_resource', 'read_content')
  })

  it('404 object_not_found with the same message when the page is missing or not shared', async () => {
    const { caller } = await makeConnection(server, {
      capabilities: ['read_content'],
      grants: [exampleWorkspace.pages.checklist],
    })
    const ghost = '7d1a3a5e-6a0f-4c83-9c53-5a3f2b7f0a11'
    const [missing, unshared] = [await retrieve(ghost, {}, caller), await retrieve(exampleWorkspace.pages.handbook, {}, caller)]
    expectNotFound(missing, ghost)
    const neutral = (response: typeof missing, id: string): string =>
      response.text.replaceAll(id, '<id>').replaceAll(String(response.body['request_id']), '<request>')
    expect(neutral(unshared, exampleWorkspace.pages.handbook)).toBe(neutral(missing, ghost))
    expect((await retrieve(exampleWorkspace.pages.checklist, {}, caller)).status).toBe(200)
  })
})
