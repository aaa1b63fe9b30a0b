import { operations } from '../../generated/operations.ts'
import type { AsyncTask, AsyncTaskResult } from '../../generated/types.ts'
import { makeCalls } from './call.ts'
import { AbortedError, ApiError, LimitExceededError } from './errors.ts'
import { eachItem } from './each_item.ts'
import type { CallLimits } from './prepare.ts'
import type { CallOptions, ClientOptions } from './options.ts'
import { pause } from './retries.ts'
import { addressOf, parseBaseUrl, type AnyInput } from './request.ts'
import { SessionStream } from './session_stream.ts'
import type { Answer, FullAnswer, Input, InputArguments, Item, ListOperationId, OperationId, StreamOperationId } from './types.ts'

/** A method for every operation, by its id, and helpers. */
export type WorkspaceClient = {
  readonly [Id in OperationId]: (...input: InputArguments<Id>) => Promise<Answer<Id>>
} & {
  /** All items of a list; pages are fetched as needed. */
  each<Id extends ListOperationId>(id: Id, ...input: InputArguments<Id>): AsyncGenerator<Item<Id>, void, undefined>
  /** Calls an operation and also returns the status, headers and request id of the response. */
  withResponse<Id extends OperationId>(id: Id, ...input: InputArguments<Id>): Promise<FullAnswer<Id>>
  /** Streams the frames of an operation. Nothing is sent before the stream is read. */
  stream(id: StreamOperationId, input: Input<StreamOperationId>): SessionStream
  /**
   * Waits for the task that an operation has started, and resolves with the operation's result.
   * @throws ApiError that the task failed with; LimitExceededError if it takes longer than `limits.taskMilliseconds`
   */
  finished(task: AsyncTask, options?: CallOptions): Promise<AsyncTaskResult>
  /** The address to open in a browser, where a user authorizes a public connection. Sends nothing. */
  authorizationUrl(query: NonNullable<Input<'retrieveAuthorizationPage'>['query']>): string
}

/**
 * Creates a client of the workspace service. Its methods are the operations of the contract; they resolve with the response's body and
 * reject only with a `WorkspaceServiceError`.
 * @throws InvalidCallError for an invalid option
 */
export function createWorkspaceClient(options: ClientOptions): WorkspaceClient {
  const calls = makeCalls(options)
  const { call } = calls
  const methods = Object.fromEntries(
    Object.values(operations).map((operation) => [
      operation.id,
      async (input?: AnyInput) => (await call(operation, input ?? {})).data,
    ]),
  )
  const further = {
    each: (id: ListOperationId, input?: AnyInput) => eachItem(calls, operations[id], input ?? {}),
    withResponse: (id: OperationId, input?: AnyInput) => call(operations[id], input ?? {}),
    stream: (_id: StreamOperationId, input: Input<StreamOperationId>) => new SessionStream(calls, input),
    finished: (task: AsyncTask, options: CallOptions = {}) => resultOf(client, calls.numbers(options), task, options),
    authorizationUrl: (query: Readonly<Record<string, unknown>>) =>
      addressOf(parseBaseUrl(options.baseUrl), operations.retrieveAuthorizationPage, { query }),
  }
  // The table of operations and the types are generated from the same source, so the methods have these types.
  const client = { ...methods, ...further } as unknown as WorkspaceClient
  return client
}

async function resultOf(
  client: WorkspaceClient,
  { longestWait, limits }: CallLimits,
  task: AsyncTask,
  options: CallOptions,
): Promise<AsyncTaskResult> {
  const end = Date.now() + limits.taskMilliseconds
  for (let current = task; ;) {
    if (current.status === 'succeeded') return current.result
    if (current.status === 'failed') throw new ApiError(current.error.status, current.error)
    if (Date.now() >= end) throw new LimitExceededError('finished: task', `an end within ${limits.taskMilliseconds} ms`, 'none')
    const wait = current.poll_after_seconds * 1000
    await pause(wait >= 0 ? Math.min(wait, longestWait) : longestWait, options.signal)
    if (options.signal?.aborted) throw new AbortedError('Waiting for the task was aborted.', { cause: options.signal.reason })
    current = await client.retrieveAsyncTask({ ...options, path: { task_id: current.id } })
  }
}
