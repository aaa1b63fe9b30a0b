import assert from 'node:assert/strict'
import { at, idOf, resultsOf, textAt } from '../../harness/json.ts'
import { construct, methodAt } from '../run.ts'
import { REDIRECT_URI } from '../service.ts'
import { useAgents } from './official_agents.ts'
import { collaborate } from './official_collaboration.ts'
import { makeOfficial, isInTrash, text, typesOf, type Official } from './official_client.ts'
import { useDatabases } from './official_databases.ts'
import { receiveWebhooks } from './official_webhooks.ts'
import { HANDBOOK, type Setting } from './program.ts'

/** Uses the official client in typical ways, as far as the release has the methods. */
export async function official(setting: Setting): Promise<void> {
  const client = await makeOfficial(setting)
  const { run, client: entry } = setting
  await run.part('users', () => lookAround(client))
  const title = text(`${entry.package} ${entry.version} ${entry.protocol}`)
  const pageId = { found: '' }
  await run.part('page', async () => void (pageId.found = await writePage(client, title)))
  if (pageId.found === '') return
  await run.part('blocks', () => changeBlocks(client, pageId.found))
  await run.part('page update', () => changePage(client, pageId.found))
  await useDatabases(client, pageId.found)
  await collaborate(client, pageId.found)
  await useAgents(client, pageId.found, setting.service)
  if (methodAt(client.exports, 'verifyWebhookSignature'))
    await run.part('webhooks', () => receiveWebhooks(client, pageId.found, setting))
  if (client.has('oauth.token')) await run.part('authorization', () => authorize(client, setting))
  await run.part('errors', () => checkErrors(client, setting))
}

async function lookAround(client: Official): Promise<void> {
  const users = await client.all('users.list', { page_size: 2 })
  const person = users.find((user) => user['type'] === 'person')
  await client.call('users.retrieve', { user_id: idOf(person) }, (user) => assert.equal(user['type'], 'person'))
  if (client.has('users.me')) await client.call('users.me', {}, (user) => assert.equal(user['type'], 'bot'))
  await client.call('search', { query: 'Yard', page_size: 5 }, (found) => assert.equal(found['object'], 'list'))
  const kind = client.protocol < '2025-09-03' ? 'database' : 'data_source'
  await client.call('search', { filter: { property: 'object', value: kind } }, (found) =>
    assert.ok(resultsOf(found).every((hit) => hit['object'] === kind) && resultsOf(found).length > 0),
  )
  await client.call('search', { sort: { direction: 'descending', timestamp: 'last_edited_time' } })
}

/** The key of a block's text, which the release of 2022-02-22 renamed. */
function textKey({ protocol }: Official): string {
  return protocol < '2022-02-22' ? 'text' : 'rich_text'
}

function block(client: Official, type: string, content: string, more: object = {}): object {
  return { object: 'block', type, [type]: { [textKey(client)]: text(content), ...more } }
}

async function writePage(client: Official, title: object[]): Promise<string> {
  const nested = block(client, 'toggle', 'Saturday', { children: [block(client, 'to_do', 'Check the sill', { checked: true })] })
  const page = await client.call('pages.create', {
    parent: { page_id: HANDBOOK },
    properties: { title },
    icon: { type: 'emoji', emoji: '🌊' },
    cover: { type: 'external', external: { url: 'https://planner.example/cover.png' } },
    children: [block(client, 'heading_1', 'Tide table'), block(client, 'paragraph', 'High water'), nested],
  })
  const id = idOf(page)
  await client.call('pages.retrieve', { page_id: id }, (read) => {
    assert.equal(read['object'], 'page')
    assert.equal(isInTrash(read), false)
    // The first release returns no icon.
    if (client.protocol >= '2021-08-16') assert.equal(at(read, 'icon', 'emoji'), '🌊')
  })
  const children = await client.call('blocks.children.list', { block_id: id }, (list) =>
    assert.deepEqual(typesOf(resultsOf(list)), ['heading_1', 'paragraph', 'toggle']),
  )
  await client.call('blocks.children.list', { block_id: textAt(children, 'results', 2, 'id') }, (list) =>
    assert.equal(at(list, 'results', 0, 'to_do', 'checked'), true),
  )
  return id
}

async function changeBlocks(client: Official, pageId: string): Promise<void> {
  const names = ['bulleted_list_item', 'numbered_list_item', 'to_do', 'heading_2', 'heading_3', 'paragraph', 'paragraph']
  const appended = await client.call('blocks.children.append', {
    block_id: pageId,
    children: names.map((type, index) => block(client, type, `line ${index}`)),
  })
  // Before 2021-08-16 the response is the parent, later the new blocks.
  assert.equal(appended['object'], client.protocol < '2021-08-16' ? 'block' : 'list')
  const all = await client.all('blocks.children.list', { block_id: pageId, page_size: 4 })
  assert.equal(all.length, 10)
  const [first, second, third] = [idOf(all[3]), idOf(all[4]), idOf(all[5])]
  await client.call('blocks.retrieve', { block_id: first }, (read) => assert.equal(read['type'], 'bulleted_list_item'))
  await client.call('blocks.update', { block_id: third, to_do: { [textKey(client)]: text('done'), checked: true } }, (read) =>
    assert.equal(at(read, 'to_do', 'checked'), true),
  )
  if (client.has('blocks.delete'))
    await client.call('blocks.delete', { block_id: second }, (read) => assert.equal(isInTrash(read), true))
  if (client.protocol >= '2022-06-28') {
    const location =
      client.protocol < '2026-03-11' ? { after: first } : { position: { type: 'after_block', after_block: { id: first } } }
    await client.call('blocks.children.append', { block_id: pageId, children: [{ divider: {} }], ...location })
    await client.call('blocks.children.list', { block_id: pageId, start_cursor: undefined }, (list) =>
      assert.equal(typesOf(resultsOf(list))[4], 'divider'),
    )
  }
  await useHelpers(client, pageId)
  await copyBlocks(client, pageId)
}

async function useHelpers(client: Official, pageId: string): Promise<void> {
  const list = methodAt(client.client, 'blocks.children.list')
  for (const name of ['collectPaginatedAPI', 'iteratePaginatedAPI']) {
    const helper = methodAt(client.exports, name)
    if (!helper) continue
    await client.run.value(name, async () => {
      const found: unknown = await helper(list, { block_id: pageId, page_size: 3 })
      let count = 0
      for await (const _block of Object(found)) count += 1
      assert.equal(count, 10)
    })
  }
  const isFull = methodAt(client.exports, 'isFullBlock')
  if (isFull) {
    const read = await client.call('blocks.children.list', { block_id: pageId })
    await client.run.value('isFullBlock', () => assert.ok(resultsOf(read).every((block) => isFull(block) === true)))
  }
}

/** Sends blocks that were read as new ones, as most programs do. */
async function copyBlocks(client: Official, pageId: string): Promise<void> {
  const read = await client.call('blocks.children.list', { block_id: pageId, page_size: 3 })
  const children = resultsOf(read).filter((block) => block['has_children'] !== true)
  const copied = await client.call('blocks.children.append', { block_id: pageId, children })
  assert.ok(copied['object'])
}

async function changePage(client: Official, page_id: string): Promise<void> {
  await client.call('pages.update', { page_id, properties: { title: text('High water') } })
  if (client.protocol >= '2021-08-16') await client.call('pages.update', { page_id, properties: {}, icon: null, cover: null })
  const key = client.protocol < '2026-03-11' ? 'archived' : 'in_trash'
  const made = await client.call('pages.create', { parent: { page_id }, properties: { title: { title: text('Below') } } })
  // The first release could not send this key.
  await client.call('pages.update', { page_id: idOf(made), properties: {}, [key]: true }, (read) => assert.ok(isInTrash(read)))
  await client.call('pages.update', { page_id: idOf(made), properties: {}, [key]: false }, (read) => assert.ok(!isInTrash(read)))
  if (client.has('pages.properties.retrieve'))
    await client.call('pages.properties.retrieve', { page_id, property_id: 'title' }, (item) =>
      assert.equal(at(item, 'results', 0, 'title', 'plain_text') ?? at(item, 'title', 0, 'plain_text'), 'High water'),
    )
}

async function checkErrors(client: Official, setting: Setting): Promise<void> {
  const nobody = '00000000-0000-4000-8000-000000000000'
  await client.refused('pages.retrieve', { page_id: nobody }, 'object_not_found')
  await client.refused('blocks.children.list', { block_id: 'tide' }, 'validation_error')
  await client.refused('search', { sort: { direction: 'sideways', timestamp: 'last_edited_time' } }, 'validation_error')
  const stranger = await makeOfficial(setting, 'itk_of_a_stranger')
  await client.refused('users.list', {}, 'unauthorized', stranger.client)
  const options = { auth: setting.service.token, baseUrl: setting.service.url, logLevel: 'error', notionVersion: '2020-01-01' }
  const early = construct(client.exports['Client'], options)
  // An error code that the clients do not know reaches their users as another kind of error.
  await client.run.refused(
    'users.list, unknown version',
    () => methodAt(early, 'users.list')?.({}),
    (error) => assert.equal(error['status'], 400),
  )
}

/** Calls of a public connection in its own name; its user's consent would need a browser. */
async function authorize(client: Official, { service, run }: Setting): Promise<void> {
  const token = { ...service.connection, token: 'oat_of_nobody' }
  const code = { grant_type: 'authorization_code', code: 'of_nobody', redirect_uri: REDIRECT_URI }
  // The client does not know OAuth error codes.
  const refused = (error: Readonly<Record<string, unknown>>): void => {
    assert.equal(error['status'], 400)
    assert.match(String(error['body']), /invalid_grant/)
  }
  await run.refused(
    'oauth.token, unknown code',
    () => methodAt(client.client, 'oauth.token')?.({ ...service.connection, ...code }),
    refused,
  )
  if (!client.has('oauth.introspect', 'oauth.revoke')) return
  await client.call('oauth.introspect', token, (response) => assert.equal(response['active'], false))
  await client.call('oauth.revoke', token)
}
