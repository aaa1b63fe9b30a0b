import type {
  AgentBatchEntry,
  AgentBatchError,
  AgentBatchOperation,
  AgentBatchRequest,
  AgentBatchResult,
  PendingAsyncTask,
} from '../../../generated/types.ts'
import { ServiceError, type AdditionalData } from '../../kernel/errors.ts'
import { operationName, startTask, type Work } from '../data/index.ts'
import { requireCapabilities, type WriteScope } from '../shared/index.ts'
import { agentIdOf } from './agent.ts'
import { deleteAgent, updateAgentCreditLimit, updateAgentStatus } from './write.ts'

/** The operation whose asynchronous tasks apply a batch of changes to agents. */
export const AGENT_BATCH = operationName('createAgentBatch')

/** The status in the result of an entry, by the code of its error. After an error with `retried`, the whole batch is retried instead. */
const STATUS: Readonly<Record<AgentBatchError['code'], AgentBatchError['status'] | 'retried'>> = {
  validation_error: 400,
  invalid_credit_limit: 400,
  restricted_resource: 403,
  status_change_not_allowed: 403,
  object_not_found: 404,
  agent_deleted: 409,
  conflict_error: 'retried',
  internal_server_error: 'retried',
  service_unavailable: 'retried',
}

/** Starts a task that applies the changes of a batch. */
export function createAgentBatch(scope: WriteScope, body: AgentBatchRequest): Promise<PendingAsyncTask> {
  return startTask(scope, AGENT_BATCH, body)
}

export const batchWork: Work = async () => (scope, request) => applyAgentBatch(scope, request as AgentBatchRequest)

/** Applies the changes in order. An error of one does not affect the others. */
async function applyAgentBatch(scope: WriteScope, { operations }: AgentBatchRequest): Promise<AgentBatchResult> {
  const results: AgentBatchEntry[] = []
  for (const [index, operation] of operations.entries()) results.push(await entryOf(scope, operation, index))
  return { object: 'agent_batch_result', results }
}

async function entryOf(scope: WriteScope, operation: AgentBatchOperation, index: number): Promise<AgentBatchEntry> {
  const base = { index, action: operation.action, agent_id: agentIdOf(operation.agent_id) }
  try {
    // The capability may have been removed since the batch was accepted.
    requireCapabilities(scope.actor, ['update_content'], operation.action)
    return { ...base, outcome: 'success', ...(await apply(scope, operation, index)) }
  } catch (error) {
    return { ...base, outcome: 'error', error: errorOf(error) }
  }
}

/** Applies the change of an entry. @returns the members of its result besides the outcome */
async function apply(scope: WriteScope, operation: AgentBatchOperation, index: number): Promise<object> {
  const { agent_id: id } = operation
  const place = `body.operations[${index}]`
  const places = { id: `${place}.agent_id`, limit: `${place}.fields.credit_limit` }
  switch (operation.action) {
    case 'update_status':
      return withoutId(await updateAgentStatus(scope, id, operation.fields.status, places))
    case 'update_credit_limit':
      return withoutId(await updateAgentCreditLimit(scope, id, operation.fields.credit_limit, places))
    case 'delete':
      return withoutId(await deleteAgent(scope, id, places))
  }
}

function withoutId<T extends { readonly agent_id: string }>({ agent_id: _known, ...rest }: T): Omit<T, 'agent_id'> {
  return rest
}

/** The error in the result of an entry. @throws errors that concern the whole batch, which is then retried */
function errorOf(error: unknown): AgentBatchError {
  if (!(error instanceof ServiceError)) throw error
  const { code, message, additionalData } = error
  if (!isListed(code)) throw error
  const status = STATUS[code]
  if (status === 'retried') throw error
  return {
    object: 'error',
    status,
    code,
    message,
    ...(additionalData === undefined ? {} : { additional_data: copyOf(additionalData) }),
  }
}

function isListed(code: string): code is AgentBatchError['code'] {
  return Object.hasOwn(STATUS, code)
}

function copyOf(data: AdditionalData): NonNullable<AgentBatchError['additional_data']> {
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]))
}
