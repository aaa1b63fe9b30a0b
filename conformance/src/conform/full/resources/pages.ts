import { operations } from '../../../../../generated/operations.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'
import type { RecordValues } from '../example_records.ts'
import type { FullParts, Resource } from '../parts.ts'
import { trashAndRestore } from '../trash_and_restore.ts'
import { sendExamples, type Target } from '../send_examples.ts'
import { followTask } from './async_tasks.ts'
import { dataSourceWith } from './properties.ts'
import { rowStandingIn } from './rows.ts'

/** Pages and rows, their content, and their parents. */
export const pages: Resource = {
  async make(parts) {
    for (const { id, values } of parts.records.of('page')) await makeAgain(parts, id, values)
  },

  async exercise(parts) {
    await sendExamples(parts, operations.createPage, {
      target: () => ({}),
      // The existing templates depend on the server.
      uncertain: new Set(['from_default_template', 'from_template']),
      onTaken: async ({ record }) => {
        if (record['object'] === 'async_task') await followTask(parts, String(record['id']))
      },
    })
    await sendExamples(parts, operations.updatePage, {
      target: (body) => rowWith(parts, body),
      uncertain: new Set(['default_template', 'apply_template']),
    })
    await sendExamples(parts, operations.movePage, { target: async () => targetOf(await newPage(parts, 'To be moved')) })
    const id = await newPage(parts, 'To be trashed and restored')
    const both = { update: operations.updatePage, retrieve: operations.retrievePage }
    if (id !== undefined) await trashAndRestore(parts.writer, both, { page_id: id })
  },
}

/** Rows are created once their data source exists. */
async function makeAgain(parts: FullParts, id: string, values: RecordValues): Promise<void> {
  // The block of a page gives its current parent; other examples give the parent that it was moved to.
  const parent = parts.records.find('block', id)?.values['parent'] ?? values['parent']
  if (!isObject(parent) || parent['type'] === 'data_source_id' || values['in_trash'] === true || parts.standIns.has(id)) return
  const place = parent['type'] === 'page_id' ? await parentOf(parts, parent['page_id']) : parts.pageId
  const page = await newPage(parts, titleOf(values), place)
  if (page !== undefined) parts.standIns.set(id, page)
}

/** The page that replaces a parent; it is created if it does not exist yet. */
async function parentOf(parts: FullParts, id: unknown): Promise<string> {
  const record = parts.records.find('page', id)
  if (record) await makeAgain(parts, record.id, record.values)
  return parts.standIns.of(id) ?? parts.pageId
}

function titleOf({ properties }: RecordValues): string {
  for (const value of Object.values(isObject(properties) ? properties : {}))
    if (isObject(value) && Array.isArray(value['title']))
      return value['title'].map((part: unknown) => (isObject(part) ? String(part['plain_text'] ?? '') : '')).join('')
  return ''
}

async function newPage({ writer, pageId }: FullParts, title: string, parentId = pageId): Promise<string | undefined> {
  const body = { parent: { page_id: parentId }, properties: { title: [{ text: { content: title } }] } }
  return (await writer.send(operations.createPage, { body }, { name: 'a page', isCertain: true }))?.id
}

function targetOf(pageId: string | undefined): Target | string {
  return pageId === undefined ? 'no page could be made' : { path: { page_id: pageId } }
}

/** A row of the data source that has the properties of an example. */
function rowWith(parts: FullParts, body: unknown): Target | string {
  const names = isObject(body) && isObject(body['properties']) ? Object.keys(body['properties']) : []
  const dataSourceId = dataSourceWith(parts, names, (id) => rowStandingIn(parts, id) !== undefined)
  const row = dataSourceId === undefined ? undefined : rowStandingIn(parts, dataSourceId)
  if (row === undefined || dataSourceId === undefined) return 'no row has these properties'
  return { path: { page_id: row }, dataSourceId }
}
