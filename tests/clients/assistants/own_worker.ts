import { isObject, objectAt, type JsonObject } from '../../harness/json.ts'
import type { ShownValue } from '../../../mcp/src/values/shown_value.ts'
import type { CountedClient } from './counted_client.ts'
import type { Found, Row, Worker } from './worker.ts'

/** A worker that uses the tools of this service. */
export function ownWorker(tools: CountedClient): Worker {
  return {
    find: async (query, kind) => listOf(await tools.json('search', { query, kind, limit: 5 }), 'results').map(foundOf),
    people: async () =>
      listOf(await tools.json('list_users', {}), 'users').map(({ id, name }) => ({ id: String(id), name: String(name) })),
    read: (page) => tools.text('read_page', { page }),
    readRow: (page) => tools.text('read_page', { page }),
    describe: async (data_source) => {
      const properties = objectAt(await tools.json('describe_data_source', { data_source }), 'properties')
      return Object.fromEntries(
        Object.entries(properties).map(([name, value]) => [name, isObject(value) ? String(value['type']) : String(value)]),
      )
    },
    query: async (data_source, _schema, { where, sort, columns, limit }) => {
      const order = sort === undefined ? undefined : [{ property: sort }]
      const input = { data_source, where: where && [where], sort: order, columns, limit }
      return listOf(await tools.json('query_rows', input), 'rows').map(rowOf)
    },
    createPage: async (parent, title, markdown, icon) =>
      String((await tools.json('create_page', { parent, title, markdown, icon }))['id']),
    createRows: async (data_source, _schema, rows) => {
      const { ids } = await tools.json('create_rows', { data_source, rows })
      return (Array.isArray(ids) ? ids : []).map(String)
    },
    update: async (page, _schema, change) => void (await tools.json('update_page', { page, ...change })),
    replace: async (page, edits) => {
      const replace = edits.map(([old, text]) => ({ old, new: text }))
      await tools.json('edit_page', { page, replace })
    },
    append: async (page, insert, after) => void (await tools.json('edit_page', { page, insert, after })),
    comments: async (page) =>
      listOf(await tools.json('list_comments', { page }), 'comments').map(({ text, discussion }) => ({
        text: String(text),
        discussion: String(discussion),
      })),
    comment: async (page, markdown) => void (await tools.json('add_comment', { page, markdown })),
    move: async (page, to_page) => void (await tools.json('move_page', { page, to_page })),
    trash: async (page, restore) => void (await tools.json('trash_page', { page, restore })),
  }
}

function listOf(result: JsonObject, name: string): readonly JsonObject[] {
  const list = result[name]
  return Array.isArray(list) ? list.filter(isObject) : []
}

function foundOf({ id, title }: JsonObject): Found {
  return { id: String(id), title: String(title) }
}

function rowOf({ id, title, ...values }: JsonObject): Row {
  return { id: String(id), title: String(title), values: values as Readonly<Record<string, ShownValue>> }
}
