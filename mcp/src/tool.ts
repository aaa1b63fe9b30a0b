import type { z } from 'zod'
import { clientOperations, type ClientOperation } from '../../generated/client_operations.ts'
import type { WorkspaceClient } from '../../client/src/index.ts'
import type { ReportProgress } from './progress.ts'
import type { UndoLog } from './undo_log.ts'

/** An operation of the contract. */
export type ToolOperation = keyof typeof clientOperations

export interface ToolContext {
  /** The API, with the rights of the caller's token. */
  readonly client: WorkspaceClient
  /** How the caller's changes are undone. */
  readonly undo: UndoLog
  readonly progress: ReportProgress
}

/** A result with named members, sent as `structuredContent`. */
export type StructuredResult = Readonly<Record<string, unknown>>

/** A tool that a model can call. */
export interface AssistantTool {
  readonly name: string
  readonly title: string
  /** Describes the tool's effect, and when to use another tool. Models read it before every call. */
  readonly description: string
  /** The operations that it calls, from which its hints follow. */
  readonly operations: readonly ToolOperation[]
  readonly input: z.ZodObject
  /** The form of its result; left out if the result is a text. */
  readonly output?: z.ZodObject
  /**
   * Runs the tool with input that fits the schema.
   * @returns a text, or a record that fits `output`
   * @throws ToolError for input that the schema cannot refuse; WorkspaceServiceError of a call
   */
  run(context: ToolContext, input: unknown): Promise<string | StructuredResult>
}

/** Declares a tool whose input and result have the types of their schemas. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject | undefined = undefined>(
  tool: Omit<AssistantTool, 'input' | 'output' | 'run'> & {
    readonly input: Input
    readonly output?: Output
    run(context: ToolContext, input: z.infer<Input>): Promise<Output extends z.ZodObject ? z.infer<Output> : string>
  },
): AssistantTool {
  const { output, ...rest } = tool
  return { ...rest, ...(output && { output }), run: (context, input) => tool.run(context, input as z.infer<Input>) }
}

/** Input that cannot be used. The message tells a model what to send instead. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}

/** Derives from the contract whether a tool only reads, and whether it may replace or remove something. */
export function hintsOf({ operations }: Pick<AssistantTool, 'operations'>): { readOnlyHint: boolean; destructiveHint: boolean } {
  const called = operations.map((id): ClientOperation => clientOperations[id])
  const writes = called.filter(({ method, id }) => !(method === 'get' || READS_BY_POST.test(id)))
  return { readOnlyHint: writes.length === 0, destructiveHint: writes.some(({ id }) => REPLACES_OR_REMOVES.test(id)) }
}

/** Verbs of operations that change nothing although they are sent by POST. */
const READS_BY_POST = /^(?:query|search)/
const REPLACES_OR_REMOVES = /^(?:update|delete|cancel|revoke)/
