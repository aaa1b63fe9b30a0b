import type { Operation, OperationId } from '../contract/operation.ts'
import type { Actor } from '../domain/actor.ts'
import type { ImportTerms } from '../domain/file_uploads/import_terms.ts'
import type { ReceivedFile } from '../domain/file_uploads/send.ts'
import type { FileTerms } from '../domain/file_uploads/terms.ts'
import type { StoredAnswer } from '../domain/idempotency.ts'
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
import type { Keep } from './keyed_requests.ts'

/** One operation with its parts, in the newest form. */
export interface PlainCall {
  readonly operation: Operation & { readonly id: OperationId }
  readonly path: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** A request that has passed every check that needs no stored data. */
export interface CheckedRequest {
  /** What to carry out, in order: the answer is that of the last. More than one only where an older version asks for it. */
  readonly calls: readonly PlainCall[]
  /** Between an older version and the newest; undefined where the caller speaks the newest. */
  readonly translation: Translation | undefined
  readonly actor: Actor
  readonly now: number
  readonly version: string
  readonly deadline: Deadline
  /** How the caller wants to be answered, where there is a choice. */
  readonly form: AnswerForm
  /** Files of a form, beside the fields that the calls have. */
  readonly files: Readonly<Record<string, ReceivedFile>>
  /** What goes out for the answer of an operation. */
  render(answer: object, operation: Operation): StoredAnswer
}

interface PerformParts {
  readonly database: Database
  readonly cursors: Cursors
  readonly files: FileTerms & ImportTerms
  readonly receivers: Receivers
  baseUrl(): string
}

/**
 * Calls the handlers of a request. The answer is made, and kept for repeats of the request, before the transaction that has the
 * effect commits.
 * @param keep keeps the answer; undefined where the request carries no idempotency key
 */
export function perform(parts: PerformParts, request: CheckedRequest, keep: Keep | undefined): Promise<StoredAnswer> {
  const [only, another] = request.calls
  return only && another === undefined ? performOne(parts, request, only, keep) : performTogether(parts, request, keep)
}

async function performOne(
  parts: PerformParts,
  request: CheckedRequest,
  call: PlainCall,
  keep: Keep | undefined,
): Promise<StoredAnswer> {
  const scope = scopeOf(parts, request)
  const handler = handlerOf(call)
  const asked = askedOf(request, call)
  const read: Reader = (work) =>
    parts.database.read(async (db) => {
      await prepareTranslation(request, { ...scope, db })
      return work({ ...scope, db })
    })
  try {
    if ('read' in handler) {
      const found = await read((reading) => handler.read(reading, asked))
      return await renderAnswer(request, found, (work) => parts.database.read((db) => work({ ...scope, db })))
    }
    const write = await writerOf(handler, asked, request.form, { imports: parts.files, receivers: parts.receivers, read })
    const outcome = await parts.database.write(async (db) => {
      request.deadline.check()
      await prepareTranslation(request, { ...scope, db })
      const written = await write({ ...scope, db })
      // What was written is kept, beside nothing that would answer a repeat.
      return written.answer instanceof ServiceError ? written.answer : settle(request, { ...scope, db }, written, keep)
    }, request.actor.workspaceId)
    if (outcome instanceof ServiceError) throw outcome
    return outcome
  } catch (error) {
    throw relocated(request, call, error)
  }
}

/** What has been changed, and from where it may be followed. */
interface Written {
  readonly answer: object
  readonly follow?: FollowStart
}

type Writer = (scope: WriteScope) => Promise<Written>

/** The change that a handler makes, prepared as far as it asks for. */
async function writerOf(
  handler: Exclude<AnyHandler, { readonly read: unknown }>,
  asked: AnyCall,
  form: AnswerForm,
  preparation: Preparation,
): Promise<Writer> {
  if ('writeAndFollow' in handler) return (scope) => handler.writeAndFollow(scope, asked, form)
  const write =
    'write' in handler ? (scope: WriteScope) => handler.write(scope, asked) : await handler.prepare(preparation, asked)
  return async (scope) => ({ answer: await write(scope) })
}

/** Several calls in one transaction. */
function performTogether(parts: PerformParts, request: CheckedRequest, keep: Keep | undefined): Promise<StoredAnswer> {
  return parts.database.write(async (db) => {
    const scope = { ...scopeOf(parts, request), db }
    request.deadline.check()
    await prepareTranslation(request, scope)
    let result: object = {}
    for (const call of request.calls) result = await performWithin(parts, request, call, scope)
    return settle(request, scope, { answer: result }, keep)
  }, request.actor.workspaceId)
}

async function performWithin(parts: PerformParts, request: CheckedRequest, call: PlainCall, scope: WriteScope): Promise<object> {
  const handler = handlerOf(call)
  const asked = askedOf(request, call)
  try {
    if ('read' in handler) return await handler.read(scope, asked)
    const preparation = { imports: parts.files, receivers: parts.receivers, read: through(scope) }
    const { answer } = await (await writerOf(handler, asked, 'json', preparation))(scope)
    if (answer instanceof ServiceError) throw answer
    return answer
  } catch (error) {
    throw relocated(request, call, error)
  }
}

/** The end of the transaction that has the effect. */
async function settle(
  request: CheckedRequest,
  scope: WriteScope,
  { answer: result, follow }: Written,
  keep: Keep | undefined,
): Promise<StoredAnswer> {
  const rendered = await renderAnswer(request, result, through(scope))
  const answer = follow === undefined ? rendered : { ...rendered, follow }
  await keep?.(scope.db, answer)
  request.deadline.beginCommit()
  return answer
}

function scopeOf(parts: PerformParts, { actor, now, version, calls, deadline }: CheckedRequest): Omit<Scope, 'db'> {
  const cursors = new ListCursors(parts.cursors, [actor.workspaceId, actor.userId, version], () => calls.map(listOf), now)
  const requireTime = (): void => deadline.check()
  return { actor, now, version, baseUrl: parts.baseUrl(), cursors, files: parts.files, requireTime }
}

/** Everything that decides what is in a list. */
function listOf({ operation, path, query, body }: PlainCall): string {
  return listName(operation.id, path, query, body)
}

/** Reads through the transaction at hand. */
function through(scope: Scope): Reader {
  return (work) => work(scope)
}

async function prepareTranslation({ translation }: CheckedRequest, scope: Scope): Promise<void> {
  if (translation?.needsPreparation) await translation.prepare(through(scope))
}

async function renderAnswer({ translation, render, calls }: CheckedRequest, result: object, read: Reader): Promise<StoredAnswer> {
  const answered = translation ? await translation.finish(result, read) : result
  const last = calls.at(-1)
  if (!last) throw new Error('a request without a call')
  return render(answered, last.operation)
}

/** An error of a handler, naming places as the caller wrote them. */
function relocated({ translation }: CheckedRequest, call: PlainCall, error: unknown): unknown {
  return translation ? translation.relocate(error, call) : error
}

function askedOf({ files }: CheckedRequest, { path, query, body }: PlainCall): AnyCall {
  return { path, query, body: Object.keys(files).length === 0 ? body : Object.assign({}, body, files) }
}

function handlerOf(call: PlainCall): AnyHandler {
  // The contract has just checked these parts against the very operation whose types the handler declares.
  return (handlers as unknown as Readonly<Record<OperationId, AnyHandler>>)[call.operation.id]
}
