import type { RunFailure, SettledCall } from '@workspace-service/server/domain/agents/index.ts'

/** A scripted turn of an agent. It is completed after its last step, unless that step ends it differently. */
export interface ScriptedTurn {
  readonly steps: readonly ScriptStep[]
}

/** An action of an agent: each kind of step has the members of the control API. */
export type ScriptStep =
  | { readonly type: 'text'; readonly text: string }
  | ScriptedCall<'tool_call'>
  /** The turn waits for a person. Consecutive steps of this kind are proposed together. */
  | ScriptedCall<'approval'>
  | { readonly type: 'error'; readonly code?: RunFailure; readonly message?: string; readonly retryable?: boolean }
  /** Spends the rest of the agent's credits. */
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
  /** The message that it responds to. */
  readonly message: string
  /** The names of the tools that it was given. */
  readonly tools: readonly string[]
  /** Its steps so far, in order. */
  readonly steps: readonly TakenStep[]
}

/** A finished step. */
export type TakenStep =
  | { readonly type: 'text'; readonly text: string }
  | ({ readonly type: 'tool_call' } & CallOutcome)
  /** The decision is null before there is one, and for a call that was refused without asking. */
  | ({ readonly type: 'approval'; readonly decision: SettledCall['decision'] | null } & CallOutcome)
  | { readonly type: 'error'; readonly code: string; readonly message: string }
  | { readonly type: 'credit_limit' }

interface CallOutcome {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly isError: boolean
  /** The result of the tool; null before the call ends. */
  readonly result: unknown
}
