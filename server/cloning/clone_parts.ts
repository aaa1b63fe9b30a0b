import type { WorkspaceClient } from '../../client/src/index.ts'
import type { OperationId } from '../../generated/operations.ts'
import { RefusedRequest, type CloneTarget, type Sending } from './clone_target.ts'
import type { ProgressFile } from './progress_file.ts'
import type { RecordTree } from './record_tree.ts'
import type { RequestForm } from './request_form.ts'
import type { ValueRewriter } from './value_rewriter.ts'

/** An object of the protocol. Other servers may add members that this contract does not know. */
export type Values = Readonly<Record<string, unknown>>

/** What the steps of a clone share. */
export interface CloneParts {
  readonly source: WorkspaceClient
  readonly target: CloneTarget
  readonly progress: ProgressFile
  readonly form: RequestForm
  readonly rewriter: ValueRewriter
  readonly tree: RecordTree
}

/** Sends a request to the local service, unless that was done before. */
export async function sendOnce({ target, progress }: CloneParts, step: string, id: OperationId, sending: Sending): Promise<void> {
  if (progress.isDone(step)) return
  await target.send(id, { ...sending, key: step })
  progress.note(step)
}

/** What making schemas needs. */
export interface SchemaParts {
  readonly form: RequestForm
  readonly target: Pick<CloneTarget, 'send'>
  readonly progress: Pick<ProgressFile, 'isDone' | 'leaveOut'> & {
    records(): AsyncIterable<Values>
    note(step: string): void
  }
}

/** Like `once`, but the clone goes on without what the local service refuses, and says so. @returns whether it was taken */
export async function sendOrLeaveOut(
  parts: CloneParts,
  step: string,
  id: OperationId,
  sending: Sending,
  what: string,
  leftOutId: string,
): Promise<boolean> {
  try {
    await sendOnce(parts, step, id, sending)
    return true
  } catch (error) {
    parts.progress.leaveOut(what, leftOutId, refusalOf(error))
    parts.progress.note(step)
    return false
  }
}

/** What a refused request was told. @throws any other error */
export function refusalOf(error: unknown): string {
  if (error instanceof RefusedRequest && error.status < 500) return error.message
  throw error
}

/** Text of rich text. */
export function readPlainText(value: unknown): string {
  if (!Array.isArray(value)) return ''
  return value
    .map((item: { readonly plain_text?: unknown }) => (typeof item.plain_text === 'string' ? item.plain_text : ''))
    .join('')
}

/** Rich text that holds plain text: an item takes up to 2,000 characters. */
export function asRichText(text: string): object[] {
  const items: object[] = []
  for (let start = 0; start < text.length; start += ITEM_LENGTH) {
    items.push({ type: 'text', text: { content: text.slice(start, start + ITEM_LENGTH) } })
  }
  return items
}

const ITEM_LENGTH = 1_000
