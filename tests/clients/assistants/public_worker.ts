import { isObject, objectAt, resultsOf, textAt, type Json, type JsonObject } from '../../harness/json.ts'
import { plainText, type PageObject } from '../../../client/src/index.ts'
import { titleOf, valuesOf } from '../../../mcp/src/records.ts'
import type { CountedClient } from './counted_client.ts'
import type { Found, Row, Schema, Selection, Values, Worker } from './worker.ts'

/** A worker that uses the public tool server, with as few calls as its tools allow. */
export function publicWorker(tools: CountedClient): Worker {
  const patch = async (page_id: string, change: object): Promise<void> =>
    void (await tools.json('API-patch-page', { page_id, ...change }))
  const edit = async (page_id: string, command: object): Promise<void> =>
    void (await tools.json('API-update-page-markdown', { page_id, ...command }))
  return {
    find: async (query, kind) => {
      const filter = { property: 'object', value: kind }
      return resultsOf(await tools.json('API-post-search', { query, filter, page_size: 5 })).map(foundOf)
    },
    people: async () =>
      resultsOf(await tools.json('API-get-users', {})).map(({ id, name }) => ({ id: String(id), name: String(name) })),
    read: async (page_id) => String((await tools.json('API-retrieve-page-markdown', { page_id }))['markdown']),
    readRow: async (page_id) => {
      const page = await tools.json('API-retrieve-a-page', { page_id })
      const { markdown } = await tools.json('API-retrieve-page-markdown', { page_id })
      return `${JSON.stringify(rowOf(page))}\n${String(markdown)}`
    },
    describe: async (data_source_id) => {
      const properties = objectAt(await tools.json('API-retrieve-a-data-source', { data_source_id }), 'properties')
      return Object.fromEntries(Object.entries(properties).map(([name, config]) => [name, textAt(config, 'type')]))
    },
    query: async (data_source_id, schema, selection) =>
      resultsOf(await tools.json('API-query-data-source', { data_source_id, ...queryOf(schema, selection) })).map(rowOf),
    createPage: async (page_id, title, markdown, icon) => {
      const made = await tools.json('API-post-page', {
        parent: { page_id },
        properties: { title: { title: textOf(title) } },
        ...(icon !== undefined && { icon: { type: 'emoji', emoji: icon } }),
      })
      const id = textAt(made, 'id')
      await edit(id, insertion(markdown))
      return id
    },
    createRows: async (data_source_id, schema, rows) => {
      const ids: string[] = []
      for (const { title, values, markdown } of rows) {
        const properties = { ...propertiesOf(schema, values), title: { title: textOf(title) } }
        const id = textAt(
          await tools.json('API-post-page', { parent: { type: 'data_source_id', data_source_id }, properties }),
          'id',
        )
        if (markdown !== undefined) await edit(id, insertion(markdown))
        ids.push(id)
      }
      return ids
    },
    update: (page, schema, { values = {}, title, icon }) =>
      patch(page, {
        properties: { ...propertiesOf(schema, values), ...(title !== undefined && { title: { title: textOf(title) } }) },
        ...(icon !== undefined && { icon: { type: 'emoji', emoji: icon } }),
      }),
    replace: (page, edits) => {
      const content_updates = edits.map(([old_str, new_str]) => ({ old_str, new_str }))
      return edit(page, { type: 'update_content', update_content: { content_updates } })
    },
    append: (page, markdown, after) => edit(page, insertion(markdown, after)),
    comments: async (block_id) =>
      resultsOf(await tools.json('API-retrieve-a-comment', { block_id })).map((comment) => ({
        text: plainTextOf(comment['rich_text']),
        discussion: textAt(comment, 'discussion_id'),
      })),
    comment: async (page_id, text) =>
      void (await tools.json('API-create-a-comment', { parent: { page_id }, rich_text: textOf(text) })),
    move: async (page_id, parent) =>
      void (await tools.json('API-move-page', { page_id, parent: { type: 'page_id', page_id: parent } })),
    trash: (page, isRestored = false) => patch(page, { in_trash: !isRestored }),
  }
}

function textOf(content: string): object[] {
  return [{ text: { content } }]
}

function insertion(content: string, after?: string): object {
  return { type: 'insert_content', insert_content: { content, ...(after !== undefined && { after }) } }
}

function queryOf(schema: Schema, { where, sort, columns, limit }: Selection): object {
  const filter = where && { property: where.property, [schema[where.property] ?? '']: { [where.condition]: where.value } }
  return {
    ...(filter && { filter }),
    ...(sort !== undefined && { sorts: [{ property: sort, direction: 'ascending' }] }),
    ...(columns && { filter_properties: columns }),
    page_size: limit ?? 25,
  }
}

function propertiesOf(schema: Schema, values: Values): object {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const type = schema[name] ?? ''
      return [name, { [type]: requestOf(type, value) }]
    }),
  )
}

function requestOf(type: string, value: Values[string]): unknown {
  const list = Array.isArray(value) ? value : [value]
  if (type === 'status' || type === 'select') return { name: value }
  if (type === 'multi_select') return list.map((name: unknown) => ({ name }))
  if (type === 'people' || type === 'relation') return list.map((id: unknown) => ({ id }))
  if (type === 'date') return { start: value }
  return type === 'rich_text' ? textOf(String(value)) : value
}

function foundOf(record: JsonObject): Found {
  const { id, title } = record
  return { id: String(id), title: Array.isArray(title) ? plainTextOf(title) : titleOf(pageOf(record)) }
}

function plainTextOf(richText: Json | undefined): string {
  return plainText((Array.isArray(richText) ? richText : []).map((item) => ({ plain_text: textAt(item, 'plain_text') })))
}

function rowOf(record: JsonObject): Row {
  const page = pageOf(record)
  return { id: page.id, title: titleOf(page), values: valuesOf(page) }
}

function pageOf(record: JsonObject): PageObject {
  if (!isObject(record['properties'])) throw new Error('not a page')
  return record as unknown as PageObject
}
