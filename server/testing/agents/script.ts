import type { RunFailure, SettledCall } from '../../domain/agents/runtime.ts'

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

/** A call of a tool, which is carried out with the rights of the agent and of the caller. */
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
  readonly steps: readonly TurnStep[]
}

/** A step that was taken. */
export type TurnStep =
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

const STEP_TYPES = ['text', 'tool_call', 'approval', 'error', 'credit_limit']

/** @returns what is wrong with turns from a file, with its path; undefined for turns in their form */
export function faultOf(turns: unknown): string | undefined {
  if (!Array.isArray(turns)) return 'turns should be a list.'
  for (const [index, turn] of (turns as { steps?: unknown }[]).entries()) {
    const { steps } = turn
    if (!Array.isArray(steps) || steps.length === 0) return `turns[${index}].steps should be a list with a step.`
    for (const [position, step] of (steps as Record<string, unknown>[]).entries()) {
      const place = `turns[${index}].steps[${position}]`
      if (!STEP_TYPES.includes(String(step['type']))) return `${place}.type should be one of ${STEP_TYPES.join(', ')}.`
      const text = step['type'] === 'text' ? 'text' : 'tool'
      const needsText = ['text', 'tool_call', 'approval'].includes(String(step['type']))
      if (needsText && (typeof step[text] !== 'string' || step[text] === '')) return `${place}.${text} should be a text.`
    }
  }
  return undefined
}
