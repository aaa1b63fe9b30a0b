import { operations } from '../../generated/operations.ts'
import type { AsyncTask, AsyncTaskResult } from '../../generated/types.ts'
import { makeCall } from './call.ts'
import { AbortedError, ApiError } from './errors.ts'
import { eachItem } from './lists.ts'
import type { CallOptions, ClientOptions } from './options.ts'
import { pause } from './repeats.ts'
import { addressOf, readBaseUrl, type AnyInput } from './request.ts'
import type { Answer, FullAnswer, Input, InputArguments, Item, ListOperationId, OperationId } from './types.ts'

/** Calls of every operation by its id, and what goes over several calls or shows more of one. */
export type WorkspaceClient = {
  readonly [Id in OperationId]: (...input: InputArguments<Id>) => Promise<Answer<Id>>
} & {
  /** Every item of a list, fetched page by page as they are asked for. */
  each<Id extends ListOperationId>(id: Id, ...input: InputArguments<Id>): AsyncGenerator<Item<Id>, void, undefined>
  /** A call of which the answer's status, headers and request id are wanted too. */
  withResponse<Id extends OperationId>(id: Id, ...input: InputArguments<Id>): Promise<FullAnswer<Id>>
  /**
   * Waits for a task that an operation has left behind, and resolves with what the operation would have answered itself.
   * @throws ApiError that the task failed with
   */
  finished(task: AsyncTask, options?: CallOptions): Promise<AsyncTaskResult>
  /** The address to open in a user's browser, where the user lets a public connection in. Nothing is sent. */
  authorizationUrl(query: NonNullable<Input<'retrieveAuthorizationPage'>['query']>): string
}

/**
 * A client of the workspace service. Its methods are the operations of the contract: they resolve with the answer's body and
 * reject with a `WorkspaceServiceError`, whatever happens.
 * @throws InvalidCallError when an option can't be right
 */
export function createWorkspaceClient(options: ClientOptions): WorkspaceClient {
  const call = makeCall(options)
  const methods = Object.fromEntries(
    Object.values(operations).map((operation) => [
      operation.id,
      async (input?: AnyInput) => (await call(operation, input ?? {})).data,
    ]),
  )
  const further = {
    each: (id: ListOperationId, input?: AnyInput) => eachItem(call, operations[id], input ?? {}),
    withResponse: (id: OperationId, input?: AnyInput) => call(operations[id], input ?? {}),
    finished: (task: AsyncTask, options?: CallOptions) => resultOf(client, task, options ?? {}),
    authorizationUrl: (query: Readonly<Record<string, unknown>>) =>
      addressOf(readBaseUrl(options.baseUrl), operations.retrieveAuthorizationPage, { query }),
  }
  // The contract's table and its types are made from one source, so the methods have the shapes that the type says.
  const client = { ...methods, ...further } as unknown as WorkspaceClient
  return client
}

async function resultOf(client: WorkspaceClient, task: AsyncTask, options: CallOptions): Promise<AsyncTaskResult> {
  for (let current = task; ;) {
    if (current.status === 'succeeded') return current.result
    if (current.status === 'failed') throw new ApiError(current.error.status, current.error)
    await pause(current.poll_after_seconds * 1000, options.signal)
    if (options.signal?.aborted) throw new AbortedError('The wait for a task was ended.', { cause: options.signal.reason })
    current = await client.retrieveAsyncTask({ ...options, path: { task_id: current.id } })
  }
}
