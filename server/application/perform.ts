import type { BrandedValues } from '../contract/branded_values.ts'
import type { Operation, OperationId } from '../contract/operation.ts'
import { recordWrite } from '../domain/administration/index.ts'
import type { ImportTerms } from '../domain/files/index.ts'
import {
  withQuotaPlace,
  withPreparation,
  type FileTerms,
  type Scope,
  type WriteScope,
  type Database,
} from '../domain/shared/index.ts'
import type { Response } from '../kernel/response.ts'
import type { ResponseForm, FollowStart } from '../domain/agents/index.ts'
import type { AnyCall, AnyHandler, Preparation } from '../handlers/handler.ts'
import { handlers } from '../handlers/index.ts'
import { listName, ListCursors, type Cursors } from '../kernel/cursors.ts'
import type { Reader } from '../versions/index.ts'
import type { Receivers } from '../domain/events/index.ts'
import { ServiceError } from '../kernel/errors.ts'
import type { Call, ValidCall } from './call.ts'
import type { Context } from './context.ts'
import { auditedWrite } from './audited_write.ts'
import { requireUnchanged } from './unchanged_members.ts'

interface PerformDeps {
  readonly database: Database
  readonly cursors: Cursors
  readonly files: FileTerms & ImportTerms
  readonly receivers: Receivers
  /** Writes the values of a brand into responses; undefined without one. */
  readonly branded: BrandedValues | undefined
  baseUrl(): string
  /** Whether writes are recorded in the audit log. */
  readonly auditsWrites: boolean
  /** Makes the response from a handler's result. */
  render(result: object, operation: Operation, requestId: string): Promise<Response>
}

/**
 * Performs a validated call by its handlers. The response is made, and stored for retries of the request, before the transaction that makes
 * the changes commits.
 * @throws ServiceError with the paths of the request as the caller sent it
 */
export async function perform(deps: PerformDeps, context: Context, call: Call): Promise<Response> {
  const request = { parts: deps, context, call }
  const [only, another] = call.validated
  return only && another === undefined ? performOne(request, only) : performAll(request)
}

/** A request that has passed all checks before its handler. */
interface Performed {
  readonly parts: PerformDeps
  readonly context: Context
  readonly call: Call
}

async function performOne(request: Performed, call: ValidCall): Promise<Response> {
  const handler = handlerOf(call)
  try {
    if ('read' in handler) return await performRead(request, handler, call)
    return await performWrite(request, handler, call)
  } catch (error) {
    throw relocated(request, call, error)
  }
}

async function performRead(
  request: Performed,
  handler: Extract<AnyHandler, { readonly read: unknown }>,
  call: ValidCall,
): Promise<Response> {
  const { parts: deps, context } = request
  const { workspaceId } = context.caller
  const scope = scopeOf(request)
  const result = await deps.database.read(async (db) => {
    const reading = { ...scope, db }
    await prepareTranslation(request, reading)
    return handler.read(reading, handlerCall(request, call))
  }, workspaceId)
  return render(request, result, (work) => deps.database.read((db) => work({ ...scope, db }), workspaceId))
}

async function performWrite(
  request: Performed,
  handler: Exclude<AnyHandler, { readonly read: unknown }>,
  call: ValidCall,
): Promise<Response> {
  const { parts: deps, context } = request
  const scope = scopeOf(request)
  const read: Reader = async (work) =>
    deps.database.read(async (db) => {
      await prepareTranslation(request, { ...scope, db })
      return work({ ...scope, db })
    }, context.caller.workspaceId)
  const preparation = { imports: deps.files, receivers: deps.receivers, read }
  const outcome = await withPreparation(
    () => writerOf(handler, handlerCall(request, call), request.call.form, preparation),
    (write) =>
      deps.database.write(async (db) => {
        context.deadline.check()
        await prepareTranslation(request, { ...scope, db })
        const written = await write({ ...scope, db })
        if (written.response instanceof ServiceError) {
          // The changes are committed, but no response is stored: a retry performs the request again.
          context.deadline.beginCommit()
          return written.response
        }
        requireUnchanged(call.unchanged, written.response)
        return finishWrite(request, { ...scope, db }, written)
      }, context.caller.workspaceId),
  )
  if (outcome instanceof ServiceError) throw outcome
  return outcome
}

/** The result of a handler that writes, and the point from which its stream begins. */
interface Written {
  readonly response: object
  readonly follow?: FollowStart
}

type Writer = (scope: WriteScope) => Promise<Written>

/** The function that makes a handler's changes, after its preparation, if it has one. */
async function writerOf(
  handler: Exclude<AnyHandler, { readonly read: unknown }>,
  call: AnyCall,
  form: ResponseForm,
  preparation: Preparation,
): Promise<Writer> {
  if ('writeAndFollow' in handler) return (scope) => handler.writeAndFollow(scope, call, form)
  const write = 'write' in handler ? (scope: WriteScope) => handler.write(scope, call) : await handler.prepare(preparation, call)
  return async (scope) => ({ response: await write(scope) })
}

/** Performs several calls in one transaction. */
function performAll(request: Performed): Promise<Response> {
  const { parts: deps, context } = request
  return deps.database.write(async (db) => {
    const scope = { ...scopeOf(request), db }
    context.deadline.check()
    await prepareTranslation(request, scope)
    let result: object = {}
    for (const call of request.call.validated) result = await performWithin(request, call, scope)
    return finishWrite(request, scope, { response: result })
  }, context.caller.workspaceId)
}

async function performWithin(request: Performed, call: ValidCall, scope: WriteScope): Promise<object> {
  const { parts: deps } = request
  const handler = handlerOf(call)
  const parameters = handlerCall(request, call)
  try {
    if ('read' in handler) return await handler.read(scope, parameters)
    const preparation = { imports: deps.files, receivers: deps.receivers, read: readerOf(scope) }
    const { response } = await (await writerOf(handler, parameters, 'json', preparation))(scope)
    if (response instanceof ServiceError) throw response
    requireUnchanged(call.unchanged, response)
    return response
  } catch (error) {
    throw relocated(request, call, error)
  }
}

/** Makes and stores the response, as the last step of the transaction. */
async function finishWrite(request: Performed, scope: WriteScope, { response: result, follow }: Written): Promise<Response> {
  const rendered = await render(request, result, readerOf(scope))
  const response = follow === undefined ? rendered : { ...rendered, follow }
  if (request.parts.auditsWrites)
    await recordWrite(scope.db, auditedWrite(request.context, request.call, scope.actor, result), scope.now)
  await request.call.storeResponse?.(scope.db, response)
  request.context.deadline.beginCommit()
  return response
}

function scopeOf({ parts: deps, context, call }: Performed): Omit<Scope, 'db'> {
  const { caller: actor, now, version, deadline } = context
  const owner = [actor.workspaceId, actor.userId, version]
  const cursors = new ListCursors(deps.cursors, owner, () => call.validated.map(listNameOf), now)
  const requireTime = (): void => deadline.check()
  return { actor, now, version, baseUrl: deps.baseUrl(), cursors, files: deps.files, requireTime }
}

/** Names a list by everything that determines its contents, so that a cursor is valid only for the list that it comes from. */
function listNameOf({ operation, path, query, body }: ValidCall): string {
  return listName(operation.id, path, query, body)
}

/** A reader that uses the transaction of a scope. */
function readerOf(scope: Scope): Reader {
  return (work) => work(scope)
}

async function prepareTranslation({ call: { translation } }: Performed, scope: Scope): Promise<void> {
  if (translation?.needsPreparation) await translation.prepare(readerOf(scope))
}

async function render({ parts: deps, context, call }: Performed, result: object, read: Reader): Promise<Response> {
  const last = call.validated.at(-1)
  if (!last) throw new Error('a call that was not validated')
  const branded = deps.branded?.brandedResponse(last.operation.id, result) ?? result
  const own = call.translation ? await call.translation.finish(branded, read) : branded
  return deps.render(own, last.operation, context.requestId)
}

/** An error of a handler, with paths in the request as the caller sent it. */
function relocated(request: Performed, call: ValidCall, error: unknown): unknown {
  const { translation } = request.call
  return withQuotaPlace(translation ? translation.relocate(error, call) : error, handlerCall(request, call).body)
}

function handlerCall({ call: { files } }: Performed, { path, query, body }: ValidCall): AnyCall {
  return { path, query, body: Object.keys(files).length === 0 ? body : Object.assign({}, body, files) }
}

function handlerOf(call: ValidCall): AnyHandler {
  // Each handler is called only with parts that have been validated against the contract of its own operation.
  return (handlers as unknown as Readonly<Record<OperationId, AnyHandler>>)[call.operation.id]
}
