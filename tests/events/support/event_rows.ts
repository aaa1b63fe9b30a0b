import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { makePage } from '../../harness/content.ts'
import { columnsOf, makeDatabase, makeRow } from '../../harness/databases_content.ts'
import type { EventType } from '../../harness/events.ts'
import { create } from '../../harness/files.ts'
import { idOf, textAt } from '../../harness/json.ts'
import { makeSettledNote, plain, sectionId } from '../../harness/meeting_notes.ts'
import { until } from '../../harness/process.ts'
import type { TestServer } from '../../harness/server.ts'
import { sweep } from '../../harness/sweeps.ts'

interface World {
  readonly server: TestServer
  /** An address that imports may use, of a file that exists when the import is requested, but not when it is fetched. */
  readonly vanishingFile: string
}

/** The expected content of an event. */
interface Expected {
  readonly entityId: string
  readonly data: unknown
}

interface Row {
  /** The cause of the event. */
  readonly title: string
  /** The event exists only in this version of webhooks. */
  readonly apiVersion?: '2022-06-28'
  /** Prepares the cause. Calling the result causes the event and resolves to its expected content. */
  readonly prepare: (world: World) => Promise<() => Promise<Expected>>
}

const { handbook } = exampleWorkspace.pages
const inHandbook = { parent: { id: handbook, type: 'page' } }

/** Events that no row of an operation causes (`operation_rows.ts`). */
export const eventRows: Readonly<Partial<Record<EventType, Row>>> = {
  'page.undeleted': {
    title: 'updatePage restores the page',
    prepare: async ({ server: { owner } }) => {
      const id = await makePage(owner, 'Restored', handbook)
      const update = (body: object): Promise<unknown> => owner.call('updatePage', { path: { page_id: id }, body })
      await update({ in_trash: true })
      return () => update({ in_trash: false }).then(() => ({ entityId: id, data: inHandbook }))
    },
  },
  'page.unlocked': {
    title: 'updatePage unlocks the page',
    prepare: async ({ server: { owner } }) => {
      const id = await makePage(owner, 'Unlocked', handbook)
      const update = (body: object): Promise<unknown> => owner.call('updatePage', { path: { page_id: id }, body })
      await update({ is_locked: true })
      return () => update({ is_locked: false }).then(() => ({ entityId: id, data: inHandbook }))
    },
  },
  'page.transcription_block.transcript_deleted': {
    title: 'deleteBlock deletes the transcript of a meeting note',
    prepare: async ({ server: { owner } }) => {
      const id = await makePage(owner, 'Meeting')
      const note = await makeSettledNote(owner, id, plain('Ines: low water at noon'))
      const transcript = sectionId(note, 'transcript')
      const data = { target: { id: idOf(note), type: 'block' }, transcript_id: transcript }
      return () => owner.call('deleteBlock', { path: { block_id: transcript } }).then(() => ({ entityId: id, data }))
    },
  },
  'database.content_updated': {
    title: 'updatePage moves the row of a database to the trash',
    apiVersion: '2022-06-28',
    prepare: async ({ server: { owner } }) => {
      const { id, sourceId } = await makeDatabase(owner, handbook)
      const row = idOf(await makeRow(owner, sourceId))
      const data = { ...inHandbook, updated_blocks: [{ id: row, type: 'page' }] }
      return () =>
        owner.call('updatePage', { path: { page_id: row }, body: { in_trash: true } }).then(() => ({ entityId: id, data }))
    },
  },
  'database.schema_updated': {
    title: 'updateDataSource renames a property',
    apiVersion: '2022-06-28',
    prepare: async ({ server: { owner } }) => {
      const { id, sourceId } = await makeDatabase(owner, handbook, { Cost: { number: {} } })
      const cost = textAt((await columnsOf(owner, sourceId))['Cost'], 'id')
      const body = { properties: { Cost: { name: 'Price' } } }
      const data = { ...inHandbook, updated_properties: [{ id: cost, name: 'Price', action: 'updated' }] }
      return () =>
        owner.call('updateDataSource', { path: { data_source_id: sourceId }, body }).then(() => ({ entityId: id, data }))
    },
  },
  'database.undeleted': {
    title: 'updateDatabase restores the database',
    prepare: async ({ server: { owner } }) => {
      const { id } = await makeDatabase(owner, handbook)
      const update = (body: object): Promise<unknown> => owner.call('updateDatabase', { path: { database_id: id }, body })
      await update({ in_trash: true })
      return () => update({ in_trash: false }).then(() => ({ entityId: id, data: inHandbook }))
    },
  },
  'data_source.undeleted': {
    title: 'updateDataSource restores the data source',
    prepare: async ({ server: { owner } }) => {
      const { id, sourceId } = await makeDatabase(owner, handbook)
      const update = (body: object): Promise<unknown> =>
        owner.call('updateDataSource', { path: { data_source_id: sourceId }, body })
      await update({ in_trash: true })
      const data = { parent: { id, type: 'database' } }
      return () => update({ in_trash: false }).then(() => ({ entityId: sourceId, data }))
    },
  },
  'file_upload.expired': {
    title: 'an unattached upload expires',
    prepare: async ({ server: { owner, clock, service } }) => {
      const id = idOf(await create(owner, { filename: 'late.txt' }))
      return async () => {
        clock.advance(3_600_001)
        await sweep(service.database, clock.now())
        return { entityId: id, data: null }
      }
    },
  },
  'file_upload.upload_failed': {
    title: 'createFileUpload imports a file that no longer exists',
    prepare:
      async ({ server: { owner }, vanishingFile }) =>
      async () => {
        const id = idOf(await create(owner, { mode: 'external_url', filename: 'gone.png', external_url: vanishingFile }))
        const failed = await until(async () => {
          const { body } = await owner.call('retrieveFileUpload', { path: { file_upload_id: id } })
          return body['status'] === 'failed' ? body : undefined
        })
        return { entityId: id, data: { file_import_result: failed['file_import_result'] } }
      },
  },
}

/** Events of the contract that this server cannot cause, each with the reason. */
export const impossibleEvents: Readonly<Partial<Record<EventType, string>>> = {}
