import type { RunFailure, SettledCall } from '@workspace-service/server/domain/agents/index.ts'

/** A turn of an agent that is known beforehand. It is completed after its last step, unless that ends it otherwise. */
export interface ScriptedTurn {
  readonly steps: readonly ScriptStep[]
}

/** What an agent does: each kind of step has the members of the control API. */
export type ScriptStep =
  | { readonly type: 'text'; readonly text: string }
  | ScriptedCall<'tool_call'>
  /** The turn waits for a person. Steps of this kind in a row are proposed together. */
  | ScriptedCall<'approval'>
  | { readonly type: 'error'; readonly code?: RunFailure; readonly message?: string; readonly retryable?: boolean }
  /** Spends what is left of the agent's credits. */
  | { readonly type: 'credit_limit' }

/** A call of a tool, which runs with the rights of the agent and of the caller. */
interface ScriptedCall<Type extends 'tool_call' | 'approval'> {
  readonly type: Type
  /** `search_workspace` and `read_page` are called; `create_page`, `append_blocks` and `add_comment` take an approval. */
  readonly tool: string
  readonly arguments?: Readonly<Record<string, unknown>>
}

/** A turn that an agent has begun, scripted or not. */
export interface AgentTurn {
  readonly agentId: string
  readonly sessionId: string
  /** Its number in the session, starting with 1. */
  readonly turn: number
  /** The message that it answers. */
  readonly message: string
  /** The names of the tools that it was given. */
  readonly tools: readonly string[]
  /** What it has done so far, in order. */
  readonly steps: readonly TakenStep[]
}

/** A step that was taken. */
export type TakenStep =
  | { readonly type: 'text'; readonly text: string }
  | ({ readonly type: 'tool_call' } & CallOutcome)
  /** The decision is null before there is one, and for a call that was refused without a question. */
  | ({ readonly type: 'approval'; readonly decision: SettledCall['decision'] | null } & CallOutcome)
  | { readonly type: 'error'; readonly code: string; readonly message: string }
  | { readonly type: 'credit_limit' }

interface CallOutcome {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly isError: boolean
  /** What the tool has returned to the agent; null before that. */
  readonly result: unknown
}
