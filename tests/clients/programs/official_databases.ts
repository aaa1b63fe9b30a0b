import assert from 'node:assert/strict'
import { at, idOf, isObject, resultsOf, textAt, type Json, type JsonObject } from '../../harness/json.ts'
import { methodAt } from '../run.ts'
import { isInTrash, text, type Official } from './official_client.ts'

/** A table with a column of most kinds. */
const COLUMNS = {
  Name: { title: {} },
  Notes: { rich_text: {} },
  Length: { number: { format: 'number' } },
  Berth: { select: { options: [{ name: 'North', color: 'blue' }, { name: 'South' }] } },
  Tags: { multi_select: { options: [{ name: 'wood' }, { name: 'steel' }] } },
  Launched: { date: {} },
  Ready: { checkbox: {} },
  Site: { url: {} },
  Mail: { email: {} },
  Phone: { phone_number: {} },
  Crew: { people: {} },
  Made: { created_time: {} },
  Twice: { formula: { expression: 'prop("Length") * 2' } },
}

/** Uses databases, their rows and queries; from 2025-09-03 on, through data sources. */
export async function useDatabases(client: Official, pageId: string): Promise<void> {
  const { run } = client
  const made = { database: '', source: '' }
  await run.part('databases', async () => {
    if (!client.has('databases.create')) return
    const database = await createDatabase(client, pageId)
    made.database = idOf(database)
    made.source = client.protocol < '2025-09-03' ? made.database : textAt(database, 'data_sources', 0, 'id')
  })
  if (made.source === '') return
  await run.part('rows', () => fillAndQuery(client, made.source))
  await run.part('relations', () => relate(client, pageId, made.source))
  await run.part('schema', () => changeSchema(client, made))
  await run.part('copy of a schema', () => copySchema(client, pageId, made))
}

function createDatabase(client: Official, page_id: string): Promise<JsonObject> {
  const properties = client.protocol < '2025-09-03' ? { properties: COLUMNS } : { initial_data_source: { properties: COLUMNS } }
  return client.call('databases.create', { parent: { type: 'page_id', page_id }, title: text('Boats'), ...properties }, (made) =>
    assert.equal(made['object'], 'database'),
  )
}

/** The release's names for the containers of rows. */
function words(client: Official, source: string): { readonly query: string; readonly parent: object; readonly path: object } {
  return client.protocol < '2025-09-03'
    ? { query: 'databases.query', parent: { database_id: source }, path: { database_id: source } }
    : { query: 'dataSources.query', parent: { type: 'data_source_id', data_source_id: source }, path: { data_source_id: source } }
}

async function fillAndQuery(client: Official, source: string): Promise<void> {
  const { query, parent, path } = words(client, source)
  const lengths = [9, 12, 7]
  const rows: JsonObject[] = []
  for (const [index, length] of lengths.entries()) {
    const properties = {
      Name: { title: text(`Boat ${index}`) },
      Notes: { rich_text: text('Keel bolts') },
      Length: { number: length },
      Berth: { select: { name: index === 0 ? 'North' : 'South' } },
      Tags: { multi_select: [{ name: 'wood' }] },
      Launched: { date: { start: `2026-05-1${index}` } },
      Ready: { checkbox: index === 1 },
      Site: { url: 'https://planner.example/' },
      Mail: { email: 'yard@northshore.example' },
      Phone: { phone_number: '+1 555 0100' },
    }
    rows.push(await client.call('pages.create', { parent, properties }))
  }
  const page_id = idOf(rows[0])
  await client.call('pages.update', { page_id, properties: { Length: { number: 10 }, Berth: { select: null } } })
  const names = (response: JsonObject): unknown[] => resultsOf(response).map((row) => at(row, 'id'))
  const ids = rows.map(idOf)
  await client.call(query, { ...path, filter: { property: 'Ready', checkbox: { equals: true } } }, (found) =>
    assert.deepEqual(names(found), [ids[1]]),
  )
  await client.call(query, { ...path, sorts: [{ property: 'Length', direction: 'descending' }] }, (found) =>
    assert.deepEqual(names(found), [ids[1], ids[0], ids[2]]),
  )
  const filter = {
    or: [
      { property: 'Length', number: { less_than: 8 } },
      {
        and: [
          { property: 'Launched', date: { on_or_after: '2026-05-11' } },
          { property: 'Name', title: { contains: 'Boat' } },
        ],
      },
    ],
  }
  await client.call(query, { ...path, filter, sorts: [{ timestamp: 'created_time', direction: 'ascending' }] }, (found) =>
    assert.deepEqual(names(found), [ids[1], ids[2]]),
  )
  assert.equal((await client.all(query, { ...path, page_size: 2 })).length, 3)
  await client.refused(query, { ...path, filter: { property: 'No such', number: { equals: 1 } } }, 'validation_error')
  if (client.has('pages.properties.retrieve')) await readProperties(client, rows[0])
  await copyRow(client, parent, ids[0] ?? '')
}

async function readProperties(client: Official, row: JsonObject | undefined): Promise<void> {
  for (const name of ['Length', 'Notes', 'Twice']) {
    const property_id = textAt(row, 'properties', name, 'id')
    await client.call('pages.properties.retrieve', { page_id: idOf(row), property_id }, (item) => assert.ok(item['object']))
  }
}

/** Creates a row again from its read properties, without computed ones, as programs that copy tables do. */
async function copyRow(client: Official, parent: object, page_id: string): Promise<void> {
  const read = await client.call('pages.retrieve', { page_id })
  const properties = read['properties']
  if (!isObject(properties)) throw new Error('a row without properties')
  const computed = ['formula', 'rollup', 'created_time', 'created_by', 'last_edited_time', 'last_edited_by', 'unique_id']
  const kept = Object.entries(properties).filter(([, value]) => isObject(value) && !computed.includes(String(value['type'])))
  await client.call('pages.create', { parent, properties: Object.fromEntries(kept) })
}

async function relate(client: Official, pageId: string, source: string): Promise<void> {
  const target = client.protocol < '2025-09-03' ? { database_id: source } : { data_source_id: source }
  const kind = client.protocol < '2022-06-28' ? {} : { type: 'single_property', single_property: {} }
  const columns = { Job: { title: {} }, Boat: { relation: { ...target, ...kind } } }
  const body = client.protocol < '2025-09-03' ? { properties: columns } : { initial_data_source: { properties: columns } }
  const made = await client.call('databases.create', { parent: { page_id: pageId }, title: text('Jobs'), ...body })
  const jobs = client.protocol < '2025-09-03' ? idOf(made) : textAt(made, 'data_sources', 0, 'id')
  const { query, path } = words(client, source)
  const boats = await client.call(query, { ...path, page_size: 1 })
  const boat = textAt(boats, 'results', 0, 'id')
  const properties = { Job: { title: text('Paint') }, Boat: { relation: [{ id: boat }] } }
  const job = await client.call('pages.create', { parent: words(client, jobs).parent, properties })
  const found = words(client, jobs)
  const filter = { property: 'Boat', relation: { contains: boat } }
  await client.call(found.query, { ...found.path, filter }, (response) =>
    assert.equal(at(response, 'results', 0, 'id'), idOf(job)),
  )
}

async function changeSchema(client: Official, { database, source }: { database: string; source: string }): Promise<void> {
  const isOld = client.protocol < '2025-09-03'
  const [retrieve, update] = isOld ? ['databases.retrieve', 'databases.update'] : ['dataSources.retrieve', 'dataSources.update']
  const { path } = words(client, source)
  await client.call('databases.retrieve', { database_id: database }, (read) => assert.equal(read['object'], 'database'))
  await client.call(retrieve, path, (read) => assert.equal(at(read, 'properties', 'Length', 'type'), 'number'))
  if (!client.has(update)) return
  await client.call(update, {
    ...path,
    properties: { Length: { name: 'Metres' }, Draught: { number: { format: 'number' } }, Phone: null },
  })
  await client.call(retrieve, path, (read) => {
    assert.equal(at(read, 'properties', 'Metres', 'type'), 'number')
    assert.equal(at(read, 'properties', 'Phone'), undefined)
  })
  await client.call('databases.update', { database_id: database, title: text('Yard boats') })
  if (isOld && client.protocol < '2022-02-22') await client.call('databases.list', { page_size: 5 })
  const rows = methodAt(client.exports, 'collectAllDataSourceRows')
  if (rows) await client.run.value('collectAllDataSourceRows', () => rows(client.client, { data_source_id: source }))
  if (client.has('dataSources.listTemplates')) await client.call('dataSources.listTemplates', { data_source_id: source })
}

/** Turns the columns of a table into columns of a new one, without ids, names and relations, which a new table cannot have. */
async function copySchema(client: Official, page_id: string, { source }: { source: string }): Promise<void> {
  const isOld = client.protocol < '2025-09-03'
  const read = await client.call(isOld ? 'databases.retrieve' : 'dataSources.retrieve', words(client, source).path)
  const properties = at(read, 'properties')
  if (!isObject(properties)) throw new Error('a table without columns')
  const kept = Object.entries(properties).filter(([, column]) => at(column, 'type') !== 'relation')
  const columns = Object.fromEntries(kept.map(([name, column]) => [name, definitionOf(column)]))
  const body = isOld ? { properties: columns } : { initial_data_source: { properties: columns } }
  const copied = await client.call('databases.create', { parent: { page_id }, title: text('Copy'), ...body })
  if (!client.has('databases.update') || client.protocol < '2022-06-28') return
  // From 2025-09-03 on, the client does not send `archived` for a database.
  const key = isOld ? 'archived' : 'in_trash'
  await client.call('databases.update', { database_id: idOf(copied), [key]: true }, (response) => assert.ok(isInTrash(response)))
}

/** A column that was read, in the type that the client requires for a new table. */
function definitionOf(column: Json): object {
  const type = textAt(column, 'type')
  const options = at(column, type, 'options')
  const names = Array.isArray(options)
    ? options.map((option) => ({ name: at(option, 'name'), color: at(option, 'color') }))
    : undefined
  return { type, [type]: names ? { options: names } : at(column, type) }
}
