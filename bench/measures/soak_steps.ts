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
  { name: 'retrieve a page', perSecond: 15, run: (service) => service.pages.retrieve({ page_id: handbook }) },
  {
    name: 'list blocks',
    perSecond: 10,
    run: (service) => service.blocks.children.list({ block_id: handbook, page_size: 100 }),
  },
  {
    name: 'query rows',
    perSecond: 3,
    run: (service, count) =>
      service.dataSources.query({
        data_source_id: exampleWorkspace.dataSources.repairJobs,
        filter: { property: 'Cost', number: { greater_than: count % 500 } },
        sorts: [{ property: 'Job', direction: 'ascending' }],
      }),
  },
  {
    name: 'search',
    perSecond: 2,
    run: (service, count) => service.search({ query: WORDS[count % WORDS.length] ?? '', page_size: 25 }),
  },
  {
    name: 'change a row',
    perSecond: 2,
    run: (service, count) =>
      service.pages.update({
        page_id: exampleWorkspace.rows.jobs.mast,
        properties: { Cost: { number: count % 1_000 } },
      }),
  },
  { name: 'write a page and trash it', perSecond: 1, run: writePage },
  {
    name: 'comment',
    perSecond: 2,
    run: (service, count) => service.comments.create({ parent: { page_id: launchPlan }, rich_text: text(`Sounding ${count}`) }),
  },
  { name: 'upload a file', perSecond: 0.5, run: upload },
  { name: 'stream a turn', perSecond: 0.5, run: streamTurn },
]

async function writePage(service: WorkspaceClient, count: number): Promise<void> {
  const { id } = await service.pages.create({
    parent: { page_id: handbook },
    properties: { title: { title: text(`Log ${count}`) } },
    children: [{ paragraph: { rich_text: text('High water at the sill, all lines doubled') } }],
  })
  await service.pages.update({ page_id: id, in_trash: true })
}

async function upload(service: WorkspaceClient): Promise<void> {
  const { id } = await service.fileUploads.create()
  await service.fileUploads.send({ file_upload_id: id, file: uploaded })
}

async function streamTurn(service: WorkspaceClient): Promise<void> {
  const turn = service.sessions.stream({
    agent_id: exampleWorkspace.agents.partsScout,
    message: 'Which bolts does Heron need?',
  })
  let last: string | undefined
  for await (const { type } of turn) last = type
  if (last !== 'stream.end') throw new Error(`a stream that ended with ${last}`)
}
