import { randomBytes } from 'node:crypto'
import type { WorkspaceClient } from '../../client/src/index.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'

/** One kind of request of the soak test. */
export interface SoakStep {
  readonly name: string
  /** Sent at a constant rate, independent of response times. */
  readonly perSecond: number
  run(service: WorkspaceClient, count: number): Promise<unknown>
}

const { handbook, launchPlan } = exampleWorkspace.pages
const WORDS = ['heron', 'keel', 'plan', 'rigging', 'launch', 'handbook'] as const
const UPLOAD_BYTES = 200_000
const uploaded = new File([randomBytes(UPLOAD_BYTES / 2).toString('hex')], 'soundings.txt', { type: 'text/plain' })

const text = (content: string): [{ text: { content: string } }] => [{ text: { content } }]

/** Reads, writes, queries, searches, uploads and streams, in the proportion of a busy team. Comments become events, which are delivered. */
export const soakSteps: readonly SoakStep[] = [
  { name: 'retrieve a page', perSecond: 15, run: (service) => service.retrievePage({ path: { page_id: handbook } }) },
  {
    name: 'list blocks',
    perSecond: 10,
    run: (service) => service.listBlockChildren({ path: { block_id: handbook }, query: { page_size: 100 } }),
  },
  {
    name: 'query rows',
    perSecond: 3,
    run: (service, count) =>
      service.queryDataSource({
        path: { data_source_id: exampleWorkspace.dataSources.repairJobs },
        body: {
          filter: { property: 'Cost', number: { greater_than: count % 500 } },
          sorts: [{ property: 'Job', direction: 'ascending' }],
        },
      }),
  },
  {
    name: 'search',
    perSecond: 2,
    run: (service, count) => service.search({ body: { query: WORDS[count % WORDS.length] ?? '', page_size: 25 } }),
  },
  {
    name: 'change a row',
    perSecond: 2,
    run: (service, count) =>
      service.updatePage({
        path: { page_id: exampleWorkspace.rows.jobs.mast },
        body: { properties: { Cost: { number: count % 1_000 } } },
      }),
  },
  { name: 'write a page and trash it', perSecond: 1, run: writePage },
  {
    name: 'comment',
    perSecond: 2,
    run: (service, count) =>
      service.createComment({ body: { parent: { page_id: launchPlan }, rich_text: text(`Sounding ${count}`) } }),
  },
  { name: 'upload a file', perSecond: 0.5, run: upload },
  { name: 'stream a turn', perSecond: 0.5, run: streamTurn },
]

async function writePage(service: WorkspaceClient, count: number): Promise<void> {
  const { id } = await service.createPage({
    body: {
      parent: { page_id: handbook },
      properties: { title: { title: text(`Log ${count}`) } },
      children: [{ paragraph: { rich_text: text('High water at the sill, all lines doubled') } }],
    },
  })
  await service.updatePage({ path: { page_id: id }, body: { in_trash: true } })
}

async function upload(service: WorkspaceClient): Promise<void> {
  const { id } = await service.createFileUpload({ body: {} })
  await service.sendFileUpload({ path: { file_upload_id: id }, body: { file: uploaded } })
}

async function streamTurn(service: WorkspaceClient): Promise<void> {
  const turn = service.stream('createSession', {
    body: { agent_id: exampleWorkspace.agents.partsScout, message: 'Which bolts does Heron need?' },
  })
  let last: string | undefined
  for await (const { type } of turn) last = type
  if (last !== 'stream.end') throw new Error(`a stream that ended with ${last}`)
}
