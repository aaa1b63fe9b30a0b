import assert from 'node:assert/strict'
import { join } from 'node:path'
import { at, idOf, isObject, parseObject, resultsOf, textAt, type JsonObject } from '../../harness/json.ts'
import { construct, methodAt } from '../run.ts'
import { text } from './official_client.ts'
import { HANDBOOK, type Setting } from './program.ts'

const SDK = '@modelcontextprotocol/sdk/client'

/** Uses the official tool server as agents do: a process with messages over standard input and output. */
export async function tools(setting: Setting): Promise<void> {
  const { run, installed, service, client: entry } = setting
  const [{ Client }, { StdioClientTransport }] = [
    await installed.load(`${SDK}/index.js`),
    await installed.load(`${SDK}/stdio.js`),
  ]
  const headers = { Authorization: `Bearer ${service.token}`, 'Notion-Version': entry.protocol }
  const access = entry.set ? { OPENAPI_MCP_HEADERS: JSON.stringify(headers) } : { NOTION_TOKEN: service.token }
  const transport = construct(StdioClientTransport, {
    command: process.execPath,
    args: [join(installed.folder, 'node_modules', entry.package, 'bin/cli.mjs')],
    env: { PATH: process.env['PATH'] ?? '', BASE_URL: service.url, ...access },
    stderr: 'ignore',
  })
  const client = construct(Client, { name: 'program', version: '1.0.0' })
  try {
    await run.part('tools', async () => {
      await run.value('connect', () => methodAt(client, 'connect')?.(transport))
      await run.object(
        'tools/list',
        () => methodAt(client, 'listTools')?.(),
        (list) => assert.ok(JSON.stringify(list).includes('API-post-page')),
      )
    })
    const call = (name: string, input: object, check?: (response: JsonObject) => void): Promise<JsonObject> =>
      run.object(name, () => useTool(client, name, input), check)
    await use(setting, call)
    const page_id = '00000000-0000-4000-8000-000000000000'
    const lost = (): Promise<JsonObject> => useTool(client, 'API-retrieve-a-page', { page_id })
    await run.part('errors', () =>
      run.refused('API-retrieve-a-page, unknown', lost, (error) => assert.match(String(error['message']), /object_not_found/)),
    )
  } finally {
    await methodAt(client, 'close')?.()
  }
}

type UseTool = (name: string, input: object, check?: (response: JsonObject) => void) => Promise<JsonObject>

/**
 * @returns the result of the tool
 * @throws Error for an error, which the tool server returns as text
 */
async function useTool(client: unknown, name: string, input: object): Promise<JsonObject> {
  const response: unknown = await methodAt(client, 'callTool')?.({ name, arguments: input })
  if (!isObject(response)) throw new Error('no response')
  const said = textAt(response, 'content', 0, 'text')
  const body = parseObject(said)
  if (response['isError'] === true || body['object'] === 'error' || body['status'] === 'error')
    throw new Error(said.slice(0, 300))
  return body
}

async function use({ run }: Setting, call: UseTool): Promise<void> {
  const ids = { page: '', source: '' }
  await run.part('users', async () => {
    const users = await call('API-get-users', { page_size: 10 })
    await call('API-get-user', { user_id: textAt(users, 'results', 0, 'id') })
    await call('API-get-self', {}, (user) => assert.equal(user['type'], 'bot'))
  })
  await run.part('pages', async () => {
    const parent = { page_id: HANDBOOK }
    const page = await call('API-post-page', { parent, properties: { title: { title: text('Made by a tool') } } })
    ids.page = idOf(page)
    await call('API-retrieve-a-page', { page_id: ids.page }, (read) => assert.equal(read['id'], ids.page))
    await call('API-patch-page', { page_id: ids.page, icon: { type: 'emoji', emoji: '⚓' } })
    await call('API-retrieve-a-page-property', { page_id: ids.page, property_id: 'title' })
    await call('API-post-search', { query: 'Made by a tool' }, (found) => assert.equal(found['object'], 'list'))
  })
  await run.part('blocks', () => useBlocks(call, ids.page))
  await run.part('comments', async () => {
    await call('API-create-a-comment', { parent: { page_id: ids.page }, rich_text: [{ text: { content: 'Which berth?' } }] })
    await call('API-retrieve-a-comment', { block_id: ids.page }, (list) => assert.equal(resultsOf(list).length, 1))
  })
  await run.part('data sources', () => useDataSources(call))
  await run.part('markdown', async () => {
    await call('API-retrieve-page-markdown', { page_id: ids.page }, (read) => assert.match(String(read['markdown']), /Low water/))
    const change = { type: 'insert_content', insert_content: { content: '## Sunday' } }
    await call('API-update-page-markdown', { page_id: ids.page, ...change }, (read) =>
      assert.match(String(read['markdown']), /Sunday/),
    )
  })
  await run.part('move and trash', async () => {
    const parent = { page_id: ids.page }
    const below = await call('API-post-page', { parent, properties: { title: { title: text('Below') } } })
    await call('API-move-page', { page_id: idOf(below), parent: { type: 'page_id', page_id: HANDBOOK } })
    await call('API-patch-page', { page_id: idOf(below), in_trash: true }, (read) => assert.equal(read['in_trash'], true))
    await call('API-patch-page', { page_id: idOf(below), in_trash: false }, (read) => assert.equal(read['in_trash'], false))
  })
}

async function useBlocks(call: UseTool, block_id: string): Promise<void> {
  const children = [
    { type: 'paragraph', paragraph: { rich_text: text('High water') } },
    { type: 'bulleted_list_item', bulleted_list_item: { rich_text: text('11:40') } },
  ]
  const added = await call('API-patch-block-children', { block_id, children })
  const first = textAt(added, 'results', 0, 'id')
  await call('API-get-block-children', { block_id, page_size: 10 }, (list) => assert.equal(resultsOf(list).length, 2))
  await call('API-retrieve-a-block', { block_id: first }, (read) => assert.equal(read['type'], 'paragraph'))
  await call('API-update-a-block', { block_id: first, paragraph: { rich_text: text('Low water') } }, (read) =>
    assert.equal(at(read, 'paragraph', 'rich_text', 0, 'plain_text'), 'Low water'),
  )
  await call('API-delete-a-block', { block_id: textAt(added, 'results', 1, 'id') }, (read) =>
    assert.equal(read['in_trash'], true),
  )
}

async function useDataSources(call: UseTool): Promise<void> {
  const found = await call('API-post-search', { filter: { property: 'object', value: 'data_source' }, page_size: 1 })
  const data_source_id = textAt(found, 'results', 0, 'id')
  const source = await call('API-retrieve-a-data-source', { data_source_id })
  await call('API-query-data-source', { data_source_id, page_size: 2 }, (list) => assert.equal(list['object'], 'list'))
  await call('API-query-data-source', { data_source_id, sorts: [{ timestamp: 'created_time', direction: 'descending' }] })
  await call('API-update-a-data-source', { data_source_id, properties: { Berth: { number: {} } } }, (read) =>
    assert.equal(at(read, 'properties', 'Berth', 'type'), 'number'),
  )
  await call('API-list-data-source-templates', { data_source_id })
  const database_id = textAt(source, 'parent', 'database_id')
  await call('API-retrieve-a-database', { database_id })
  await call('API-create-a-data-source', {
    parent: { type: 'database_id', database_id },
    properties: { Name: { title: {} } },
    title: text('Second'),
  })
  await call('API-post-page', {
    parent: { type: 'data_source_id', data_source_id },
    properties: { title: { title: text('Row') } },
  })
}
