/**
 * A runtime produces the replies of agents. The service passes one run at a time to it and executes its outputs in order. Ids, times,
 * statuses and stored content belong to the service; a runtime keeps no state between runs.
 */
export interface Runtime {
  /** The public names of its models; the first one is used for `auto`. */
  readonly models: readonly string[]
  /** @param signal aborted on cancellation, at the deadline, and when the service stops; later output is dropped */
  run(input: RunInput, signal: AbortSignal): AsyncIterable<RunOutput>
}

/** A run: a new turn, or one that continues after a person's decisions on the actions that it proposed. */
export interface RunInput {
  readonly workspaceId: string
  readonly agentId: string
  readonly sessionId: string
  /** Starting with 1. */
  readonly turn: number
  readonly model: string
  readonly agent: { readonly name: string; readonly instructions: string }
  /** Messages of earlier turns, oldest first. */
  readonly history: readonly { readonly role: 'user' | 'agent'; readonly text: string }[]
  readonly message: RunMessage
  /** The completed tool calls of this turn, in order: executed, refused, or rejected by the person. */
  readonly settled: readonly SettledCall[]
  /** The tools that the permissions of the agent and of the caller allow. */
  readonly tools: readonly RunTool[]
  readonly budget: { readonly tokens: number; readonly steps: number }
  /** The parent of new pages, unless the message names one. */
  readonly defaultParent: { readonly id: string; readonly title: string } | undefined
}

export interface RunMessage {
  readonly text: string
  readonly promptContext: string | undefined
  /** The title of the page that a trigger refers to, if it is visible to all full members. The session does not show it. */
  readonly subject?: string
  readonly attachments: readonly { readonly name: string; readonly contentType: string; readonly text: string | undefined }[]
}

export interface RunTool {
  readonly name: string
  readonly purpose: string
  readonly kind: 'read' | 'write'
  /** The JSON Schema of the arguments. */
  readonly parameters: object
}

export interface ToolCall {
  /** The id of the call in the runtime, unique in the turn. */
  readonly callId: string
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
}

export interface SettledCall extends ToolCall {
  readonly kind: 'read' | 'write'
  /** The decision of a person; undefined for calls that need none. */
  readonly decision: 'approve' | 'reject' | undefined
  readonly result: ToolResult
}

export interface ToolResult {
  readonly isError: boolean
  /** The result for the runtime: JSON data or a sentence. Never shown to clients. */
  readonly content: unknown
  readonly artifact?: { readonly type: 'page'; readonly url: string; readonly title: string }
}

/** The outcome of a proposal: the title under which a person is asked for approval, or a refusal. */
export type ProposalOutcome = { readonly title: string } | { readonly refusal: ToolResult }

/**
 * The outcome of `read` and `propose` is passed to `settle` before the next output is requested. Proposals are collected: if any of them
 * were not refused when the run ends, the turn waits for the person. The service, never a runtime, creates the text that the person sees.
 */
export type RunOutput =
  | { readonly type: 'thinking'; readonly text: string }
  /** The complete text so far of the next message. */
  | { readonly type: 'partial'; readonly text: string }
  | { readonly type: 'message'; readonly text: string }
  | { readonly type: 'read'; readonly call: ToolCall; settle(result: ToolResult): void }
  | { readonly type: 'propose'; readonly call: ToolCall; settle(outcome: ProposalOutcome): void }
  | { readonly type: 'usage'; readonly inputTokens: number; readonly outputTokens: number }
  | { readonly type: 'failed'; readonly code: RunFailure; readonly message: string; readonly retryable: boolean }

export type RunFailure =
  | 'agent_error'
  | 'runtime_unavailable'
  | 'runtime_timeout'
  | 'runtime_unauthorized'
  | 'tool_failed'
  | 'output_limit'
