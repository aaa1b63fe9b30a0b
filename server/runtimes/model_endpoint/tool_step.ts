import {
  argumentFault,
  type ProposalOutcome,
  type RunOutput,
  type RunTool,
  type ToolCall,
  type ToolResult,
} from '../../domain/agents/index.ts'
import { newId } from '../../kernel/ids.ts'
import type { ChatMessage } from './chat.ts'
import type { ChatCompletion, RawToolCall } from './chat_completion.ts'
import { callMessage, resultMessage, resultText } from './conversation.ts'

/** The outcome of the tool calls of one completion. */
interface StepResult {
  /** The calls and their results, as messages to the model. */
  readonly messages: readonly ChatMessage[]
  readonly results: readonly string[]
  /** Whether the model called a tool that it was not offered, or with invalid arguments. */
  readonly hasInvalidCalls: boolean
  /** Whether a person must decide before the run can continue. */
  readonly hasProposals: boolean
}

/** Passes the calls of one completion to the host, one after the other. Only the host executes them. */
export class ToolStep {
  readonly #tools: readonly RunTool[]
  readonly #completion: ChatCompletion
  readonly #calls: ToolCall[] = []
  readonly #results: { readonly callId: string; readonly text: string }[] = []
  #hasInvalidCalls = false
  #hasProposals = false

  constructor(tools: readonly RunTool[], completion: ChatCompletion) {
    this.#tools = tools
    this.#completion = completion
  }

  async *outputs(): AsyncGenerator<RunOutput, StepResult, undefined> {
    for (const written of this.#completion.calls) yield* this.#handleCall(written)
    return {
      messages: [
        callMessage(this.#calls, this.#completion.text === '' ? null : this.#completion.text),
        ...this.#results.map(({ callId, text }) => resultMessage(callId, text)),
      ],
      results: this.#results.map(({ text }) => text),
      hasInvalidCalls: this.#hasInvalidCalls,
      hasProposals: this.#hasProposals,
    }
  }

  *#handleCall(written: RawToolCall): Generator<RunOutput, void, undefined> {
    const parsed = parseArguments(written.argumentsText)
    const call: ToolCall = { callId: newId(), tool: safeToolName(written.tool), arguments: parsed ?? {} }
    this.#calls.push(call)
    const tool = this.#tools.find(({ name }) => name === call.tool)
    const fault = callError(tool, parsed)
    if (tool === undefined || fault !== undefined) {
      this.#hasInvalidCalls = true
      this.#results.push({ callId: call.callId, text: JSON.stringify({ error: fault }) })
    } else if (tool.kind === 'read') yield* this.#read(call)
    else yield* this.#propose(call)
  }

  *#read(call: ToolCall): Generator<RunOutput, void, undefined> {
    let result: ToolResult = WITHOUT_RESULT
    yield { type: 'read', call, settle: (settled) => void (result = settled) }
    this.#results.push({ callId: call.callId, text: resultText(result) })
  }

  *#propose(call: ToolCall): Generator<RunOutput, void, undefined> {
    let outcome: ProposalOutcome = { refusal: WITHOUT_RESULT }
    yield { type: 'propose', call, settle: (settled) => void (outcome = settled) }
    if ('refusal' in outcome) this.#results.push({ callId: call.callId, text: resultText(outcome.refusal) })
    else this.#hasProposals = true
  }
}

const WITHOUT_RESULT: ToolResult = { isError: true, content: { error: 'The tool returned no result.' } }

function callError(tool: RunTool | undefined, given: unknown): string | undefined {
  if (tool === undefined) return 'This tool does not exist.'
  return given === undefined ? 'The arguments should be a JSON object.' : argumentFault(tool, given)
}

/** The name of a tool, with characters that endpoints do not accept replaced. */
function safeToolName(written: string): string {
  return written.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, NAME_LENGTH_MAX) || 'unknown'
}

const NAME_LENGTH_MAX = 64

/** @returns undefined if the text is not a JSON object; a blank text counts as `{}` */
function parseArguments(text: string): ToolCall['arguments'] | undefined {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text)
    const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isRecord ? (value as ToolCall['arguments']) : undefined
  } catch {
    return undefined
  }
}
