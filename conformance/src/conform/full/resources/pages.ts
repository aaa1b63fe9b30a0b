import { operations } from '../../../../../generated/operations.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'
import type { RecordValues } from '../example_records.ts'
import type { FullRunContext, Resource } from '../full_run_context.ts'
import { trashAndRestore } from '../trash_and_restore.ts'
import { sendExamples, type Target } from '../send_examples.ts'
import { followTask } from './async_tasks.ts'
import { dataSourceWith } from './properties.ts'
import { replacementRow } from './rows.ts'

/** Pages and rows, their content, and their parents. */
export const pages: Resource = {
  async make(context) {
    for (const { id, values } of context.records.of('page')) await recreateRecord(context, id, values)
  },

  async exercise(context) {
    await sendExamples(context, operations.createPage, {
      target: () => ({}),
      // The existing templates depend on the server.
      uncertain: new Set(['from_default_template', 'from_template']),
      onAccepted: async ({ record }) => {
        if (record['object'] === 'async_task') await followTask(context, String(record['id']))
      },
    })
    await sendExamples(context, operations.updatePage, {
      target: (body) => rowWith(context, body),
      uncertain: new Set(['default_template', 'apply_template']),
    })
    await sendExamples(context, operations.movePage, { target: async () => targetOf(await newPage(context, 'To be moved')) })
    const id = await newPage(context, 'To be trashed and restored')
    const both = { update: operations.updatePage, retrieve: operations.retrievePage }
    if (id !== undefined) await trashAndRestore(context.writer, both, { page_id: id })
  },
}

/** Creates a page as in the examples, except for rows, which are created once their data source exists. */
async function recreateRecord(context: FullRunContext, id: string, values: RecordValues): Promise<void> {
  // The example of a page's block has its current parent; other examples have the parent that the page was moved to.
  const parent = context.records.find('block', id)?.values['parent'] ?? values['parent']
  if (!isObject(parent) || parent['type'] === 'data_source_id' || values['in_trash'] === true || context.replacements.has(id))
    return
  const place = parent['type'] === 'page_id' ? await parentOf(context, parent['page_id']) : context.pageId
  const page = await newPage(context, titleOf(values), place)
  if (page !== undefined) context.replacements.set(id, page)
}

/** The page that replaces a parent; it is created if it does not exist yet. */
async function parentOf(context: FullRunContext, id: unknown): Promise<string> {
  const record = context.records.find('page', id)
  if (record) await recreateRecord(context, record.id, record.values)
  return context.replacements.of(id) ?? context.pageId
}

function titleOf({ properties }: RecordValues): string {
  for (const value of Object.values(isObject(properties) ? properties : {}))
    if (isObject(value) && Array.isArray(value['title']))
      return value['title'].map((part: unknown) => (isObject(part) ? String(part['plain_text'] ?? '') : '')).join('')
  return ''
}

async function newPage({ writer, pageId }: FullRunContext, title: string, parentId = pageId): Promise<string | undefined> {
  const body = { parent: { page_id: parentId }, properties: { title: [{ text: { content: title } }] } }
  return (await writer.send(operations.createPage, { body }, { name: 'a page', isCertain: true }))?.id
}

function targetOf(pageId: string | undefined): Target | string {
  return pageId === undefined ? 'no page could be created' : { path: { page_id: pageId } }
}

/** A row of the data source that has the properties of an example. */
function rowWith(context: FullRunContext, body: unknown): Target | string {
  const names = isObject(body) && isObject(body['properties']) ? Object.keys(body['properties']) : []
  const dataSourceId = dataSourceWith(context, names, (id) => replacementRow(context, id) !== undefined)
  const row = dataSourceId === undefined ? undefined : replacementRow(context, dataSourceId)
  if (row === undefined || dataSourceId === undefined) return 'no row has these properties'
  return { path: { page_id: row }, dataSourceId }
}
