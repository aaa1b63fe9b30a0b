/**
 * What makes an agent's answers. The host gives a runtime one run at a time and carries out what it yields, in order; ids, times,
 * statuses and stored content are the host's alone, and a runtime keeps nothing between runs.
 */
export interface Runtime {
  /** Public names of the models it serves; the first is the one for `auto`. */
  readonly models: readonly string[]
  /** @param signal aborted on cancellation, at the deadline and when the service stops; what is yielded afterwards is dropped */
  run(input: RunInput, signal: AbortSignal): AsyncIterable<RunOutput>
}

/** One run: a new turn, or what follows decisions on the actions that an earlier run of the turn proposed. */
export interface RunInput {
  readonly sessionId: string
  /** From 1. */
  readonly turn: number
  readonly model: string
  readonly agent: { readonly name: string; readonly instructions: string }
  /** Messages of earlier turns, oldest first. */
  readonly history: readonly { readonly role: 'user' | 'agent'; readonly text: string }[]
  readonly message: RunMessage
  /** Tool calls of this turn that have been settled, in order: carried out, refused, or rejected by the person. */
  readonly settled: readonly SettledCall[]
  /** As far as the permissions of the agent and of the caller allow. */
  readonly tools: readonly RunTool[]
  readonly budget: { readonly tokens: number; readonly steps: number }
  /** The page that a page is created under where the message names none. */
  readonly defaultParent: { readonly id: string; readonly title: string } | undefined
}

export interface RunMessage {
  readonly text: string
  readonly promptContext: string | undefined
  /** The title of the page that a trigger tells of, where all full members see it. The session does not show it. */
  readonly subject?: string
  readonly attachments: readonly { readonly name: string; readonly contentType: string; readonly text: string | undefined }[]
}

export interface RunTool {
  readonly name: string
  readonly purpose: string
  readonly kind: 'read' | 'write'
  /** JSON Schema of the arguments. */
  readonly parameters: object
}

export interface ToolCall {
  /** The runtime's own name for the call, unique in the turn. */
  readonly callId: string
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
}

export interface SettledCall extends ToolCall {
  readonly kind: 'read' | 'write'
  /** What a person decided; undefined for calls that need no decision. */
  readonly decision: 'approve' | 'reject' | undefined
  readonly result: ToolResult
}

export interface ToolResult {
  readonly isError: boolean
  /** What the runtime is told: JSON-able data or a sentence. Never shown to clients. */
  readonly content: unknown
  readonly artifact?: { readonly type: 'page'; readonly url: string; readonly title: string }
}

/**
 * What became of a proposal: a person will be asked under this title, which says what would be done; or it is refused at once, like a
 * read that fails, and nobody is asked.
 */
export type ProposalOutcome = { readonly title: string } | { readonly refusal: ToolResult }

/**
 * `read` and `propose` are answered through `settle` before the next output is asked for. Proposals are collected: when the run ends
 * with some that were not refused, the turn waits for the person. What the person is shown comes from the host, never from a runtime.
 */
export type RunOutput =
  | { readonly type: 'thinking'; readonly text: string }
  /** The whole text so far of the message that comes next. */
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
