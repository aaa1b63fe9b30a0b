import type { BrandedValues } from '../contract/branded_values.ts'
import type { Operation, OperationId } from '../contract/operation.ts'
import type { Actor } from '../domain/actor.ts'
import type { ImportTerms } from '../domain/file_uploads/import_terms.ts'
import type { ReceivedFile } from '../domain/file_uploads/send.ts'
import type { FileTerms } from '../domain/file_uploads/terms.ts'
import type { StoredAnswer } from '../domain/idempotency.ts'
import { withQuotaPlace } from '../domain/quota_place.ts'
import { withPreparation } from '../domain/prepared_change.ts'
import type { Scope, WriteScope } from '../domain/scope.ts'
import type { AnswerForm, FollowStart } from '../domain/sessions/followed.ts'
import type { AnyCall, AnyHandler, Preparation } from '../handlers/handler.ts'
import { handlers } from '../handlers/index.ts'
import { listName, ListCursors, type Cursors } from '../kernel/cursors.ts'
import type { Deadline } from '../kernel/deadline.ts'
import type { Database } from '../domain/database.ts'
import type { Reader, Translation } from '../versions/index.ts'
import type { Receivers } from '../domain/webhooks/receivers.ts'
import { ServiceError } from '../kernel/errors.ts'
import type { StoreAnswer } from './keyed_requests.ts'
import { requireUnchanged, type UnchangedMembers } from './unchanged_members.ts'

/** A call of one operation that has not been validated. */
export interface ReceivedCall {
  readonly operation: Operation & { readonly id: OperationId }
  readonly path: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** A call of one operation, in the form of the newest release, without the read-only members of its body. */
export interface OperationCall extends ReceivedCall {
  /** Read-only members that have to agree with the answer. */
  readonly unchanged: UnchangedMembers
}

/** A request that has passed every check before its handler. */
export interface CheckedRequest {
  /** The calls to perform, in order; the last one gives the answer. Some requests of older versions translate into more than one. */
  readonly calls: readonly OperationCall[]
  /** Translates between an older version and the newest; undefined for requests of the newest version. */
  readonly translation: Translation | undefined
  readonly actor: Actor
  readonly now: number
  readonly version: string
  readonly deadline: Deadline
  /** The form of the answer that the caller accepts. */
  readonly form: AnswerForm
  /** The files of a form, whose fields are in the calls. */
  readonly files: Readonly<Record<string, ReceivedFile>>
  /** Writes the values of a brand into answers; undefined without one. */
  readonly branded: BrandedValues | undefined
  /** Makes the answer to be sent from a handler's result. */
  render(answer: object, operation: Operation): Promise<StoredAnswer>
}

interface PerformParts {
  readonly database: Database
  readonly cursors: Cursors
  readonly files: FileTerms & ImportTerms
  readonly receivers: Receivers
  baseUrl(): string
}

/**
 * Performs a request by calling its handlers. The answer is made, and stored for retries of the request, before the transaction that makes
 * the changes commits.
 * @param storeAnswer undefined for a request without an idempotency key
 * @throws ServiceError with the places in the request as the caller sent it
 */
export async function perform(
  parts: PerformParts,
  request: CheckedRequest,
  storeAnswer: StoreAnswer | undefined,
): Promise<StoredAnswer> {
  const [only, another] = request.calls
  return only && another === undefined ? performOne(parts, request, only, storeAnswer) : performAll(parts, request, storeAnswer)
}

async function performOne(
  parts: PerformParts,
  request: CheckedRequest,
  call: OperationCall,
  storeAnswer: StoreAnswer | undefined,
): Promise<StoredAnswer> {
  const handler = handlerOf(call)
  try {
    if ('read' in handler) return await performRead(parts, request, handler, call)
    return await performWrite(parts, request, handler, call, storeAnswer)
  } catch (error) {
    throw relocated(request, call, error)
  }
}

async function performRead(
  parts: PerformParts,
  request: CheckedRequest,
  handler: Extract<AnyHandler, { readonly read: unknown }>,
  call: OperationCall,
): Promise<StoredAnswer> {
  const scope = scopeOf(parts, request)
  const result = await parts.database.read(async (db) => {
    const reading = { ...scope, db }
    await prepareTranslation(request, reading)
    return handler.read(reading, handlerCall(request, call))
  })
  return renderAnswer(request, result, (work) => parts.database.read((db) => work({ ...scope, db })))
}

async function performWrite(
  parts: PerformParts,
  request: CheckedRequest,
  handler: Exclude<AnyHandler, { readonly read: unknown }>,
  call: OperationCall,
  storeAnswer: StoreAnswer | undefined,
): Promise<StoredAnswer> {
  const scope = scopeOf(parts, request)
  const read: Reader = async (work) =>
    parts.database.read(async (db) => {
      await prepareTranslation(request, { ...scope, db })
      return work({ ...scope, db })
    })
  const preparation = { imports: parts.files, receivers: parts.receivers, read }
  const outcome = await withPreparation(
    () => writerOf(handler, handlerCall(request, call), request.form, preparation),
    (write) =>
      parts.database.write(async (db) => {
        request.deadline.check()
        await prepareTranslation(request, { ...scope, db })
        const written = await write({ ...scope, db })
        if (written.answer instanceof ServiceError) {
          // The changes are committed, but no answer is stored: a retry performs the request again.
          request.deadline.beginCommit()
          return written.answer
        }
        requireUnchanged(call.unchanged, written.answer)
        return finishWrite(request, { ...scope, db }, written, storeAnswer)
      }, request.actor.workspaceId),
  )
  if (outcome instanceof ServiceError) throw outcome
  return outcome
}

/** The result of a handler that writes, and the point from which its stream begins. */
interface Written {
  readonly answer: object
  readonly follow?: FollowStart
}

type Writer = (scope: WriteScope) => Promise<Written>

/** The function that makes a handler's changes, after its preparation, if it has one. */
async function writerOf(
  handler: Exclude<AnyHandler, { readonly read: unknown }>,
  call: AnyCall,
  form: AnswerForm,
  preparation: Preparation,
): Promise<Writer> {
  if ('writeAndFollow' in handler) return (scope) => handler.writeAndFollow(scope, call, form)
  const write = 'write' in handler ? (scope: WriteScope) => handler.write(scope, call) : await handler.prepare(preparation, call)
  return async (scope) => ({ answer: await write(scope) })
}

/** Performs several calls in one transaction. */
function performAll(parts: PerformParts, request: CheckedRequest, storeAnswer: StoreAnswer | undefined): Promise<StoredAnswer> {
  return parts.database.write(async (db) => {
    const scope = { ...scopeOf(parts, request), db }
    request.deadline.check()
    await prepareTranslation(request, scope)
    let result: object = {}
    for (const call of request.calls) result = await performWithin(parts, request, call, scope)
    return finishWrite(request, scope, { answer: result }, storeAnswer)
  }, request.actor.workspaceId)
}

async function performWithin(
  parts: PerformParts,
  request: CheckedRequest,
  call: OperationCall,
  scope: WriteScope,
): Promise<object> {
  const handler = handlerOf(call)
  const parameters = handlerCall(request, call)
  try {
    if ('read' in handler) return await handler.read(scope, parameters)
    const preparation = { imports: parts.files, receivers: parts.receivers, read: readerOf(scope) }
    const { answer } = await (await writerOf(handler, parameters, 'json', preparation))(scope)
    if (answer instanceof ServiceError) throw answer
    requireUnchanged(call.unchanged, answer)
    return answer
  } catch (error) {
    throw relocated(request, call, error)
  }
}

/** Makes and stores the answer, as the last step of the transaction. */
async function finishWrite(
  request: CheckedRequest,
  scope: WriteScope,
  { answer: result, follow }: Written,
  storeAnswer: StoreAnswer | undefined,
): Promise<StoredAnswer> {
  const rendered = await renderAnswer(request, result, readerOf(scope))
  const answer = follow === undefined ? rendered : { ...rendered, follow }
  await storeAnswer?.(scope.db, answer)
  request.deadline.beginCommit()
  return answer
}

function scopeOf(parts: PerformParts, { actor, now, version, calls, deadline }: CheckedRequest): Omit<Scope, 'db'> {
  const cursors = new ListCursors(parts.cursors, [actor.workspaceId, actor.userId, version], () => calls.map(listNameOf), now)
  const requireTime = (): void => deadline.check()
  return { actor, now, version, baseUrl: parts.baseUrl(), cursors, files: parts.files, requireTime }
}

/** Names a list by everything that determines its contents, so that a cursor is valid only for the list that it comes from. */
function listNameOf({ operation, path, query, body }: OperationCall): string {
  return listName(operation.id, path, query, body)
}

/** A reader that uses the transaction of a scope. */
function readerOf(scope: Scope): Reader {
  return (work) => work(scope)
}

async function prepareTranslation({ translation }: CheckedRequest, scope: Scope): Promise<void> {
  if (translation?.needsPreparation) await translation.prepare(readerOf(scope))
}

async function renderAnswer(
  { translation, branded, render, calls }: CheckedRequest,
  result: object,
  read: Reader,
): Promise<StoredAnswer> {
  const last = calls.at(-1)
  if (!last) throw new Error('a request without a call')
  const answer = branded?.brandedAnswer(last.operation.id, result) ?? result
  return render(translation ? await translation.finish(answer, read) : answer, last.operation)
}

/** An error of a handler, with the places in the request as the caller sent it. */
function relocated(request: CheckedRequest, call: OperationCall, error: unknown): unknown {
  const { translation } = request
  return withQuotaPlace(translation ? translation.relocate(error, call) : error, handlerCall(request, call).body)
}

function handlerCall({ files }: CheckedRequest, { path, query, body }: OperationCall): AnyCall {
  return { path, query, body: Object.keys(files).length === 0 ? body : Object.assign({}, body, files) }
}

function handlerOf(call: OperationCall): AnyHandler {
  // Each handler is called only with parts that have been validated against the contract of its own operation.
  return (handlers as unknown as Readonly<Record<OperationId, AnyHandler>>)[call.operation.id]
}
