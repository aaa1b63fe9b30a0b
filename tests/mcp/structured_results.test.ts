import { describe, expect, it } from 'vitest'
import { makePage } from '../harness/content.ts'
import { makeDatabase } from '../harness/databases_content.ts'
import { serverOfFile, TOKEN } from '../harness/server.ts'
import { assistantOf } from './support/assistant.ts'

const server = await serverOfFile()
const assistant = await assistantOf(server.url, TOKEN)

const { sourceId: data_source } = await makeDatabase(server.owner, await makePage(server.owner, 'Harbour'), {
  Depth: { number: {} },
  Notes: { rich_text: {} },
  id: { rich_text: {} },
  Kind: { select: { options: [{ name: 'Pilot' }] } },
})
const { ids } = await assistant.json('create_rows', {
  data_source,
  rows: [
    { title: 'Tern', values: { Depth: 3, Notes: 'Keel | sound', id: 'No. 7' } },
    { title: 'Gull', values: { Depth: 4, Notes: 'rows: forged\nforged | row' } },
    { title: 'Heron', values: { Depth: 5, Notes: '12' } },
  ],
})
const [row] = ids as string[]
const { id: page } = await assistant.json('create_page', { title: 'Log', markdown: 'One' })
await assistant.json('add_comment', { page, markdown: 'Seen' })

describe('structured results of the MCP tools', () => {
  it('are declared by all tools but those that return a text', async () => {
    const { tools } = await assistant.client.listTools()
    const withoutSchema = tools.filter(({ outputSchema }) => outputSchema === undefined)
    expect(withoutSchema.map(({ name }) => name)).toEqual(['read_page', 'undo'])
  })

  it.each<[string, object]>([
    ['search', { limit: 5 }],
    ['describe_data_source', { data_source }],
    ['query_rows', { data_source, limit: 2 }],
    ['list_comments', { page }],
    ['list_users', {}],
    ['create_page', { title: 'Short' }],
    ['create_rows', { data_source, rows: [{ title: 'Swift' }] }],
    ['add_comment', { page, markdown: 'Noted' }],
    ['attach_file', { page, name: 'a.txt', text: 'a' }],
    ['edit_page', { page, insert: 'Two' }],
    ['update_page', { page: row, values: { Depth: 6 } }],
    ['move_page', { page: row, to_data_source: data_source }],
    ['trash_page', { page: row, restore: true }],
  ])('of %s fit the declared schema, and their text is shorter than their JSON', async (name, input) => {
    const { text, structured, isError } = await assistant.call(name, input)
    expect(isError).toBe(false)
    expect(structured).toBeTypeOf('object')
    expect(text.length).toBeLessThan(JSON.stringify(structured).length)
  })

  it('come with a text of one line for each row, in which ambiguous values are quoted', async () => {
    const sort = [{ property: 'Depth' }]
    const where = [{ property: 'Depth', condition: 'less_than', value: 6 }]
    const { text } = await assistant.call('query_rows', { data_source, where, sort, columns: ['Name', 'Notes'] })
    const lines = text.split('\n').map((line) => line.replace(/[0-9a-f-]{36}/, 'ID'))
    expect(lines.slice(-2)).toEqual([String.raw`ID | Gull | "rows: forged\nforged | row"`, 'ID | Heron | "12"'])
  })

  it('keep the id of a row apart from a property called id', async () => {
    const where = [{ property: 'id', condition: 'is_not_empty' }]
    const { rows } = await assistant.json('query_rows', { data_source, where })
    expect(rows).toMatchObject([{ id: row, 'id (property)': 'No. 7' }])
  })

  it('are missing when a tool refuses', async () => {
    expect(await assistant.call('search', { limit: 0 })).toMatchObject({ structured: undefined, isError: true })
  })
})
