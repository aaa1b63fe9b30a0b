import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import type { OperationId } from '../../../server/contract/operation.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { appendOne, makePage, paragraph, text } from '../../harness/content.ts'
import { commentOn } from '../../harness/comments.ts'
import { makeDatabase } from '../../harness/databases_content.ts'
import { allOperations, exampleCall } from '../../harness/every_operation.ts'
import { create, file, form, upload } from '../../harness/files.ts'
import { settledNote } from '../../harness/meeting_notes.ts'
import { idOf } from '../../harness/json.ts'
import type { EventType } from '../../harness/events.ts'
import type { TestServer } from '../../harness/server.ts'

/** The events of one successful request. */
interface Row {
  /** Types of the recorded events, in alphabetical order. */
  readonly events: readonly EventType[]
  /** Prepares a request; by default, the contract's example. */
  readonly prepare?: (server: TestServer) => Promise<() => Promise<TestResponse>>
}

/** For operations whose requests change nothing that events report, even if they succeed. */
export const NOTHING = 'nothing'

const { handbook } = exampleWorkspace.pages
const title = { title: [text('Tide table')] }

/** The events of each writing operation. */
export const operationRows: Readonly<Partial<Record<OperationId, Row | typeof NOTHING>>> = {
  updateBlock: {
    events: ['page.content_updated'],
    prepare: async ({ owner }) => {
      const id = await appendOne(owner, handbook, paragraph('before'))
      return () => owner.call('updateBlock', { path: { block_id: id }, body: paragraph('after') })
    },
  },
  deleteBlock: { events: ['page.content_updated'] },
  appendBlockChildren: {
    events: ['page.content_updated'],
    prepare:
      async ({ owner }) =>
      () =>
        owner.call('appendBlockChildren', { path: { block_id: handbook }, body: { children: [paragraph('a'), paragraph('b')] } }),
  },
  createPage: {
    events: ['data_source.content_updated', 'page.created'],
    prepare: async ({ owner }) => {
      const { sourceId } = await makeDatabase(owner, handbook)
      return () => owner.call('createPage', { body: { parent: { data_source_id: sourceId }, properties: {}, children: [] } })
    },
  },
  updatePage: {
    events: ['page.content_updated', 'page.deleted', 'page.locked', 'page.properties_updated'],
    prepare: async ({ owner }) => {
      const id = await makePage(owner, 'Before', handbook)
      const body = { properties: { title }, icon: { emoji: '⛵' }, is_locked: true, in_trash: true }
      return () => owner.call('updatePage', { path: { page_id: id }, body })
    },
  },
  movePage: {
    events: ['page.content_updated', 'page.content_updated', 'page.moved'],
    prepare: async ({ owner }) => {
      const [id, to] = [await makePage(owner, 'Moved', handbook), await makePage(owner, 'To')]
      return () => owner.call('movePage', { path: { page_id: id }, body: { parent: { page_id: to } } })
    },
  },
  updatePageMarkdown: {
    events: ['page.content_updated'],
    prepare: async ({ owner }) => {
      const id = await makePage(owner, 'Notes', undefined, [paragraph('low'), paragraph('tide')])
      const body = { type: 'replace_content', replace_content: { new_str: 'high\n\ntide' } }
      return () => owner.call('updatePageMarkdown', { path: { page_id: id }, body })
    },
  },
  createMeetingNotes: {
    // The note, and two changes of its state.
    events: ['page.content_updated', 'page.content_updated', 'page.content_updated'],
    prepare: async ({ owner }) => {
      const id = await upload(owner, 'Ines: High water at noon.', 'talk.txt')
      const source = { type: 'file_upload', file_upload_id: id }
      const body = { source, parent: { type: 'page_id', page_id: handbook }, options: { kickoff_summary: false } }
      return async () => {
        const response = await owner.call('createMeetingNotes', { body })
        await settledNote(owner, idOf(response.body))
        return response
      }
    },
  },
  queryMeetingNotes: NOTHING,
  createDatabase: {
    events: ['database.created', 'page.content_updated', 'view.created'],
  },
  updateDatabase: {
    events: ['database.deleted', 'database.moved', 'page.content_updated', 'page.content_updated', 'page.content_updated'],
    prepare: async ({ owner }) => {
      const [{ id }, to] = [await makeDatabase(owner, handbook), await makePage(owner, 'To')]
      const body = { title: [text('New words')], parent: { page_id: to }, in_trash: true }
      return () => owner.call('updateDatabase', { path: { database_id: id }, body })
    },
  },
  queryDatabase: NOTHING,
  createDataSource: { events: ['data_source.created', 'view.created'] },
  updateDataSource: {
    events: ['data_source.deleted', 'data_source.moved', 'data_source.schema_updated', 'view.created'],
    prepare: async ({ owner }) => {
      const [{ sourceId }, to] = [await makeDatabase(owner, handbook), await makeDatabase(owner, handbook)]
      const body = { properties: { Cost: { number: {} } }, parent: { database_id: to.id }, in_trash: true }
      return () => owner.call('updateDataSource', { path: { data_source_id: sourceId }, body })
    },
  },
  queryDataSource: NOTHING,
  createView: { events: ['view.created'] },
  updateView: { events: ['view.updated'] },
  deleteView: { events: ['view.deleted'] },
  createViewQuery: NOTHING,
  deleteViewQuery: NOTHING,
  createComment: {
    events: ['comment.created'],
    prepare:
      async ({ owner }) =>
      () =>
        owner.call('createComment', { body: { parent: { page_id: handbook }, markdown: 'Mind the tide' } }),
  },
  updateComment: {
    events: ['comment.updated'],
    prepare: async ({ owner }) => {
      const id = idOf(await commentOn(owner, handbook))
      return () => owner.call('updateComment', { path: { comment_id: id }, body: { markdown: 'Mind the gap' } })
    },
  },
  deleteComment: {
    events: ['comment.deleted'],
    prepare: async ({ owner }) => {
      const id = idOf(await commentOn(owner, handbook))
      return () => owner.call('deleteComment', { path: { comment_id: id } })
    },
  },
  createFileUpload: { events: ['file_upload.created'] },
  sendFileUpload: {
    events: ['file_upload.completed'],
    prepare: async ({ owner }) => {
      const id = idOf(await create(owner, { filename: 'a.txt' }))
      return () => owner.call('sendFileUpload', { path: { file_upload_id: id }, ...form(file('tide', 'a.txt', 'text/plain')) })
    },
  },
  completeFileUpload: {
    events: ['file_upload.completed'],
    prepare: async ({ owner }) => {
      const id = idOf(await create(owner, { mode: 'multi_part', number_of_parts: 1, filename: 'a.txt' }))
      const part = { name: 'part_number', value: '1' }
      await owner.call('sendFileUpload', { path: { file_upload_id: id }, ...form(part, file('tide', 'a.txt', 'text/plain')) })
      return () => owner.call('completeFileUpload', { path: { file_upload_id: id } })
    },
  },
  search: NOTHING,
  queryAgents: NOTHING,
  createAgentBatch: NOTHING,
  deleteAgent: NOTHING,
  updateAgentStatus: NOTHING,
  updateAgentCreditLimit: NOTHING,
  createSession: NOTHING,
  querySessions: NOTHING,
  cancelSession: NOTHING,
  querySessionEvents: NOTHING,
  createAuthorization: NOTHING,
  createToken: NOTHING,
  introspectToken: NOTHING,
  revokeToken: NOTHING,
  createWebhookSubscription: NOTHING,
  updateWebhookSubscription: NOTHING,
  deleteWebhookSubscription: NOTHING,
  verifyWebhookSubscription: NOTHING,
  sendWebhookVerification: NOTHING,
}

/** A request for an operation, ready to be sent. */
export async function requestFor(server: TestServer, id: OperationId): Promise<() => Promise<TestResponse>> {
  const row = operationRows[id]
  if (row !== undefined && row !== NOTHING && row.prepare) return row.prepare(server)
  const operation = allOperations.find((one) => one.id === id)
  if (!operation) throw new Error(`no operation ${id}`)
  return () => server.owner.call(id, exampleCall(operation))
}
