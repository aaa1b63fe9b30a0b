import { operations, type Operation, type OperationId } from '../../../../generated/operations.ts'
import type { Resource } from './full_run_context.ts'
import { agentsResource } from './resources/agents.ts'
import { blocks } from './resources/blocks.ts'
import { comments } from './resources/comments.ts'
import { dataSources, schemas } from './resources/data_sources.ts'
import { databases } from './resources/databases.ts'
import { fileUploads } from './resources/file_uploads.ts'
import { markdown } from './resources/markdown.ts'
import { meetingNotesResource } from './resources/meeting_notes.ts'
import { pages } from './resources/pages.ts'
import { rows } from './resources/rows.ts'
import { sessionsResource } from './resources/sessions.ts'
import { views } from './resources/views.ts'
import { webhookSubscriptions } from './resources/webhooks.ts'

/** Every operation except GET: it writes, or reads with a body. */
export type BodyOperationId = {
  [Id in OperationId]: (typeof operations)[Id]['method'] extends 'get' ? never : Id
}[OperationId]

/** Resources in order: records are created from the first to the last, and can refer to those before them. */
export const resources: readonly Resource[] = [
  fileUploads,
  pages,
  databases,
  rows,
  blocks,
  comments,
  dataSources,
  views,
  markdown,
  meetingNotesResource,
  schemas,
  webhookSubscriptions,
  sessionsResource,
  agentsResource,
]

const READS = 'reads'
const CLIENT = 'it requires a client id and secret'

/**
 * The part of the run that calls each operation, or the reason why none does. `reads` means the reading part of the run. The compiler names
 * missing operations.
 */
export const coverage: Readonly<Record<BodyOperationId, Resource | string>> = {
  appendBlockChildren: blocks,
  cancelSession: sessionsResource,
  completeFileUpload: fileUploads,
  createAgentBatch: agentsResource,
  createAuthorization: 'it serves browsers',
  createComment: comments,
  createDataSource: dataSources,
  createDatabase: databases,
  createFileUpload: fileUploads,
  createMeetingNotes: meetingNotesResource,
  createPage: pages,
  createSession: sessionsResource,
  createToken: CLIENT,
  createView: views,
  createViewQuery: views,
  createWebhookSubscription: webhookSubscriptions,
  deleteAgent: 'only an administrator can restore an agent',
  deleteBlock: blocks,
  deleteComment: comments,
  deleteView: views,
  deleteViewQuery: views,
  deleteWebhookSubscription: webhookSubscriptions,
  introspectToken: CLIENT,
  movePage: pages,
  queryAgents: READS,
  queryDataSource: dataSources,
  queryDatabase: dataSources,
  queryMeetingNotes: READS,
  querySessionEvents: READS,
  querySessions: READS,
  revokeToken: CLIENT,
  search: READS,
  sendFileUpload: fileUploads,
  sendWebhookVerification: webhookSubscriptions,
  updateAgentCreditLimit:
    'the limit could not be restored afterwards, because the response does not say whether it is that of the agent or of the workspace',
  updateAgentStatus: agentsResource,
  updateBlock: blocks,
  updateComment: comments,
  updateDataSource: schemas,
  updateDatabase: databases,
  updatePage: pages,
  updatePageMarkdown: markdown,
  updateView: views,
  updateWebhookSubscription: webhookSubscriptions,
  verifyWebhookSubscription: webhookSubscriptions,
}

/** The resource that calls an operation. */
export function resourceOf(id: string): Resource | undefined {
  const entry = isNamed(id) ? coverage[id] : undefined
  return typeof entry === 'string' ? undefined : entry
}

/** Whether an operation is called only if an agent was named. */
export function needsAgent({ id }: Operation): boolean {
  const resource = resourceOf(id)
  return resource === agentsResource || resource === sessionsResource
}

export const called: readonly Operation[] = Object.values(operations).filter(({ id }) => resourceOf(id) !== undefined)

/** Operations that are not called, with the reason. */
export const leftOut: readonly (readonly [id: string, reason: string])[] = Object.entries(coverage).flatMap(([id, entry]) =>
  typeof entry === 'string' && entry !== READS ? [[id, entry] as const] : [],
)

function isNamed(id: string): id is BodyOperationId {
  return Object.hasOwn(coverage, id)
}
