import { clientOperations, type ClientOperation } from '../../generated/client_operations.ts'
import type { Call, Keyed, Resources, SessionsResource } from '../../generated/resources.ts'
import type { AsyncTask, AsyncTaskResult } from '../../generated/types.ts'
import { send } from './send.ts'
import { AbortedError, ApiError, LimitExceededError } from './errors.ts'
import type { CallOptions, ClientOptions } from './options.ts'
import { splitParameters } from './parameters.ts'
import { makeCalls, type Calls } from './calls.ts'
import type { AnyInput } from './request.ts'
import { pause } from './retries.ts'
import { SessionStream } from './session_stream.ts'
import type { CallOf, Input, InputArguments, OperationId } from './types.ts'

/** The sessions of agents. */
export interface ClientSessions extends SessionsResource<CallOptions> {
  /** Follows a turn of a session while it runs. Nothing is sent before the stream is read. */
  stream(parameters: Input<'createSession'>['body'], options?: CallOptions & Keyed): SessionStream
}

/** The operations of the contract by resource, and helpers. */
export interface WorkspaceClient extends Resources<CallOptions> {
  readonly sessions: ClientSessions
  /** Calls an operation by its id, with the parameters of the path, of the query, and the body apart. */
  call<Id extends OperationId>(id: Id, ...input: InputArguments<Id>): CallOf<Id>
  /**
   * Waits for the task that an operation has started, and resolves with the operation's result.
   * @throws ApiError that the task failed with; LimitExceededError if it takes longer than `limits.taskMilliseconds`
   */
  finished(task: AsyncTask, options?: CallOptions): Promise<AsyncTaskResult>
}

/**
 * Creates a client of the workspace service. Its calls are sent at once; they resolve with the response's body, and reject only with a
 * `WorkspaceServiceError` or the error of a hook.
 * @throws InvalidCallError for an invalid option
 */
export function createWorkspaceClient(options: ClientOptions): WorkspaceClient {
  const calls = makeCalls(options)
  const resources: Methods = {}
  for (const operation of Object.values(clientOperations)) place(resources, operation.name.split('.'), methodOf(calls, operation))
  place(resources, ['sessions', 'stream'], streamOf(calls))
  const helpers = {
    call: (id: OperationId, input: AnyInput = {}) => send(calls, clientOperations[id], input),
    finished: (task: AsyncTask, options: CallOptions = {}) => resultOf(calls, task, options),
  }
  // The table of operations and the interfaces are generated from the same source, so the methods have these types.
  return { ...resources, ...helpers } as unknown as WorkspaceClient
}

type Method = (parameters?: Readonly<Record<string, unknown>>, options?: AnyInput) => unknown

/** Methods by name, or those of a resource. */
interface Methods {
  [name: string]: Method | Methods
}

function place(methods: Methods, [name = '', ...rest]: readonly string[], method: Method): void {
  if (rest.length === 0) methods[name] = method
  else place((methods[name] ??= {}) as Methods, rest, method)
}

function methodOf(calls: Calls, operation: ClientOperation): Method {
  return (parameters, options): Call<unknown> => send(calls, operation, splitParameters(operation, parameters, options))
}

function streamOf(calls: Calls): Method {
  return (parameters, options) =>
    new SessionStream(calls, splitParameters(clientOperations.createSession, parameters, options) as Input<'createSession'>)
}

async function resultOf({ call, numbers }: Calls, task: AsyncTask, options: CallOptions): Promise<AsyncTaskResult> {
  const { longestWait, limits } = numbers(options)
  const end = Date.now() + limits.taskMilliseconds
  for (let current = task; ;) {
    if (current.status === 'succeeded') return current.result
    if (current.status === 'failed') throw new ApiError(current.error.status, current.error)
    if (Date.now() >= end) throw new LimitExceededError('finished: task', `an end within ${limits.taskMilliseconds} ms`, 'none')
    const wait = current.poll_after_seconds * 1000
    await pause(wait >= 0 ? Math.min(wait, longestWait) : longestWait, options.signal)
    if (options.signal?.aborted) throw new AbortedError('Waiting for the task was aborted.', { cause: options.signal.reason })
    const { data } = await call(clientOperations.retrieveAsyncTask, { ...options, path: { task_id: current.id } })
    current = data as AsyncTask // what the contract says of this operation
  }
}
