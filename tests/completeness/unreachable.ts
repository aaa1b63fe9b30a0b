import type { Operation } from '../../generated/operations.ts'

/**
 * Every endpoint declares every error status of the protocol, also those that it can have no cause for. These rules say which, so
 * that what is left is for tests to meet.
 */
interface Unreachable {
  readonly statuses: readonly number[]
  readonly why: string
  applies(operation: Operation): boolean
}

/** Without an id anywhere, the body included, or with ids that only narrow down what is found. */
const LOOKING_FOR_NOTHING: readonly string[] = [
  'createFileUpload',
  'search',
  'queryAgents',
  'querySessions',
  'queryMeetingNotes',
  'createWebhookSubscription',
]

/** Accepted first: what cannot be found is reported in the result of the task. */
const JUDGED_LATER: readonly string[] = ['createAgentBatch']

const ADDING_ROWS: readonly string[] = ['createPage', 'movePage']

// If you are here because a status seems impossible for an operation: a rule names the cause that is missing, so that it holds
// for every operation like it.
const rules: readonly Unreachable[] = [
  {
    statuses: [403],
    why: 'needs no capability and takes every kind of token',
    applies: ({ credentials, capability, tokenKinds }) =>
      credentials === 'bearer' && capability === 'none' && tokenKinds.length === 3,
  },
  {
    statuses: [403],
    why: 'the one code of OAuth with this status is reserved',
    applies: ({ credentials }) => credentials === 'client',
  },
  {
    statuses: [404],
    why: 'looks for nothing by its id',
    applies: ({ method, pathParameters, queryParameters }) =>
      method === 'get' && pathParameters.length === 0 && !queryParameters.some((name) => name.endsWith('_id')),
  },
  {
    statuses: [404],
    why: 'names nothing that exists already: what it searches or announces is all its own',
    applies: ({ id }) => LOOKING_FOR_NOTHING.includes(id),
  },
  {
    statuses: [404],
    why: 'answers before it looks for what its body names',
    applies: ({ id }) => JUDGED_LATER.includes(id),
  },
  {
    statuses: [406],
    why: 'adds no row to a data source; quotas of workspaces are tested for each kind, not for each operation',
    applies: ({ id }) => !ADDING_ROWS.includes(id),
  },
  {
    statuses: [409, 504],
    why: 'changes nothing, so that nothing can collide and no outcome be unknown',
    applies: ({ headerParameters }) => !headerParameters.includes('Idempotency-Key'),
  },
]

/** Whether no request to this operation can be answered so. */
export function isUnreachable(operation: Operation, status: number): boolean {
  return rules.some((rule) => rule.statuses.includes(status) && rule.applies(operation))
}
