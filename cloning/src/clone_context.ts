import type { WorkspaceClient } from '../../client/src/index.ts'
import type { OperationId } from '../../generated/operations.ts'
import { RefusedRequest, type CloneTarget, type Sending } from './clone_target.ts'
import type { ProgressFile } from './progress_file.ts'
import type { RecordTree } from './record_tree.ts'
import type { RequestForm } from '@workspace-service/server/contract/request_form.ts'
import type { ValueRewriter } from './value_rewriter.ts'

/** An object of the protocol. Other servers may add members that this contract does not know. */
export type Values = Readonly<Record<string, unknown>>

/** The shared context of a clone's steps. */
export interface CloneContext {
  readonly source: WorkspaceClient
  readonly target: CloneTarget
  readonly progress: ProgressFile
  readonly form: RequestForm
  readonly rewriter: ValueRewriter
  readonly tree: RecordTree
}

/** A request that is sent to the local service once, however often the clone is resumed. */
export interface CloneStep extends Omit<Sending, 'key'> {
  /** Unique in the clone. */
  readonly name: string
  readonly operation: OperationId
}

/** The context for creating properties. */
export interface SchemaContext {
  readonly form: RequestForm
  readonly target: Pick<CloneTarget, 'send'>
  readonly progress: Pick<ProgressFile, 'isDone' | 'leaveOut'> & {
    records(): AsyncIterable<Values>
    note(step: string): void
  }
}

/** The content that the clone lacks if a step is refused. */
type Missing = readonly [what: string, id: string]

/**
 * Runs a step, unless it was run before.
 * @throws RefusedRequest
 */
export async function runStep({ target, progress }: CloneContext, { name, operation, ...sending }: CloneStep): Promise<void> {
  if (progress.isDone(name)) return
  await target.send(operation, { ...sending, key: name })
  progress.note(name)
}

/**
 * Runs a step; if the local service refuses it, the clone reports that and continues without it.
 * @returns whether it was accepted
 */
export async function runOptionalStep(context: CloneContext, step: CloneStep, [what, id]: Missing): Promise<boolean> {
  const { progress } = context
  try {
    await runStep(context, step)
    return true
  } catch (error) {
    progress.leaveOut(what, id, refusalOf(error))
    progress.note(step.name)
    return false
  }
}

/** The message of a refused request. @throws any other error */
export function refusalOf(error: unknown): string {
  if (error instanceof RefusedRequest && error.status < 500) return error.message
  throw error
}

/** Whether a server refuses an operation as a whole, as older servers of the protocol do. */
export function isNotServed(error: unknown): boolean {
  const status = error instanceof Error && 'status' in error ? error.status : undefined
  return status === 400 || status === 403 || status === 404
}

/** The plain text of rich text. */
export function plainTextIn(value: unknown): string {
  if (!Array.isArray(value)) return ''
  return value
    .map((item: { readonly plain_text?: unknown } | null) => (typeof item?.plain_text === 'string' ? item.plain_text : ''))
    .join('')
}
