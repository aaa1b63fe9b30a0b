import type { Call } from '../contract/call.ts'
import type { Operation, OperationId } from '../contract/operation.ts'
import type { Actor } from '../domain/actor.ts'
import type { ImportTerms } from '../domain/file_uploads/import.ts'
import type { ReceivedFile } from '../domain/file_uploads/send.ts'
import type { FileTerms } from '../domain/file_uploads/terms.ts'
import type { Scope } from '../domain/scope.ts'
import { handlers } from '../handlers/index.ts'
import { listName, ListCursors, type Cursors } from '../kernel/cursors.ts'
import type { Deadline } from '../kernel/deadline.ts'
import type { Database } from '../store/database.ts'
import type { Reader, Translation } from '../versions/index.ts'
import { objectAnswer, type Answer } from './answer.ts'
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
  readonly requestId: string
  readonly deadline: Deadline
  /** Files of a form, beside the fields that the calls have. */
  readonly files: Readonly<Record<string, ReceivedFile>>
}

interface PerformParts {
  readonly database: Database
  readonly cursors: Cursors
  readonly files: FileTerms & ImportTerms
  baseUrl(): string
}

/**
 * Calls the handlers of a request. The answer is made, and kept for repeats of the request, before the transaction that has the
 * effect commits.
 * @param keep keeps the answer; undefined where the request carries no idempotency key
 */
export async function perform(parts: PerformParts, request: CheckedRequest, keep: Keep | undefined): Promise<Answer> {
  const [only, another] = request.calls
  return only && another === undefined ? performOne(parts, request, only, keep) : performTogether(parts, request, keep)
}

async function performOne(
  parts: PerformParts,
  request: CheckedRequest,
  call: PlainCall,
  keep: Keep | undefined,
): Promise<Answer> {
  const { translation, actor, deadline } = request
  const scope = scopeOf(parts, request)
  let written: { readonly result: object; readonly answer: Answer } | undefined
  const result = await callHandler(request, call, {
    files: parts.files,
    read: (work) =>
      parts.database.read(async (db) => {
        if (translation?.needsPreparation) await translation.prepare(through({ ...scope, db }))
        return work({ ...scope, db })
      }),
    write: async (work) => {
      if (written) throw new Error(`${call.operation.id} writes in more than one transaction`)
      return parts.database.write(async (db) => {
        deadline.check()
        if (translation?.needsPreparation) await translation.prepare(through({ ...scope, db }))
        const result = await work({ ...scope, db })
        written = { result, answer: await render(request, result, through({ ...scope, db })) }
        await keep?.(db, written.answer)
        deadline.beginCommit()
        return result
      }, actor.workspaceId)
    },
  })
  if (written && written.result !== result)
    throw new Error(`${call.operation.id} answers with something else than its transaction returned`)
  if (written) return written.answer
  return render(request, result, (work) => parts.database.read((db) => work({ ...scope, db })))
}

/** Several calls in one transaction. */
function performTogether(parts: PerformParts, request: CheckedRequest, keep: Keep | undefined): Promise<Answer> {
  const { translation, actor, deadline, calls } = request
  return parts.database.write(async (db) => {
    const scope = { ...scopeOf(parts, request), db }
    deadline.check()
    await translation?.prepare(through(scope))
    let result: object = {}
    for (const call of calls)
      result = await callHandler(request, call, { files: parts.files, read: (work) => work(scope), write: (work) => work(scope) })
    const answer = await render(request, result, through(scope))
    await keep?.(db, answer)
    deadline.beginCommit()
    return answer
  }, actor.workspaceId)
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

async function render({ translation, requestId, calls }: CheckedRequest, result: object, read: Reader): Promise<Answer> {
  const answered = translation ? await translation.finish(result, read) : result
  return objectAnswer(answered, requestId, calls.at(-1)?.operation.statuses ?? [])
}

/** How a handler gets at stored data. */
type Access = Pick<Call<OperationId>, 'read' | 'write' | 'files'>

/** A handler without the types of its operation. */
type AnyHandler = (
  call: Access & { readonly actor: Actor; readonly path: unknown; readonly query: unknown; readonly body: unknown },
) => Promise<object>

async function callHandler({ actor, translation, files }: CheckedRequest, call: PlainCall, access: Access): Promise<object> {
  // The contract has just checked these parts against the very operation whose types the handler declares.
  const handler = (handlers as unknown as Readonly<Record<OperationId, AnyHandler>>)[call.operation.id]
  const { path, query } = call
  const body = Object.keys(files).length === 0 ? call.body : Object.assign({}, call.body, files)
  if (!translation) return handler({ path, query, body, actor, ...access })
  try {
    return await handler({ path, query, body, actor, ...access })
  } catch (error) {
    throw translation.relocate(error, call)
  }
}
