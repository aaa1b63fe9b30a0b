import { argumentFault } from '../../domain/agents/tools/arguments.ts'
import type { ProposalOutcome, RunOutput, RunTool, ToolCall, ToolResult } from '../../domain/agents/runtime.ts'
import { newId } from '../../kernel/ids.ts'
import type { ChatMessage } from './chat.ts'
import type { ChatAnswer, WrittenCall } from './chat_answer.ts'
import { callMessage, resultMessage, resultText } from './conversation.ts'

/** What has come of the tool calls of one answer. */
interface DoneStep {
  /** The calls and their results, for the model. */
  readonly messages: readonly ChatMessage[]
  readonly results: readonly string[]
  /** The model called a tool that it was not offered, or with wrong arguments. */
  readonly isWrong: boolean
  /** A person has to decide before anything else happens. */
  readonly isProposed: boolean
}

/** Hands the calls of one answer to the host, one after the other: what the host does not get is never carried out. */
export class ToolStep {
  readonly #tools: readonly RunTool[]
  readonly #answer: ChatAnswer
  readonly #calls: ToolCall[] = []
  readonly #results: { readonly callId: string; readonly text: string }[] = []
  #isWrong = false
  #isProposed = false

  constructor(tools: readonly RunTool[], answer: ChatAnswer) {
    this.#tools = tools
    this.#answer = answer
  }

  async *outputs(): AsyncGenerator<RunOutput, DoneStep, undefined> {
    for (const written of this.#answer.calls) yield* this.#one(written)
    return {
      messages: [
        callMessage(this.#calls, this.#answer.text === '' ? null : this.#answer.text),
        ...this.#results.map(({ callId, text }) => resultMessage(callId, text)),
      ],
      results: this.#results.map(({ text }) => text),
      isWrong: this.#isWrong,
      isProposed: this.#isProposed,
    }
  }

  *#one(written: WrittenCall): Generator<RunOutput, void, undefined> {
    const parsed = argumentsIn(written.argumentsText)
    const call: ToolCall = { callId: newId(), tool: nameIn(written.tool), arguments: parsed ?? {} }
    this.#calls.push(call)
    const tool = this.#tools.find(({ name }) => name === call.tool)
    const fault = faultIn(tool, parsed)
    if (tool === undefined || fault !== undefined) {
      this.#isWrong = true
      this.#results.push({ callId: call.callId, text: JSON.stringify({ error: fault }) })
    } else if (tool.kind === 'read') yield* this.#read(call)
    else yield* this.#propose(call)
  }

  *#read(call: ToolCall): Generator<RunOutput, void, undefined> {
    let result: ToolResult = UNANSWERED
    yield { type: 'read', call, settle: (settled) => void (result = settled) }
    this.#results.push({ callId: call.callId, text: resultText(result) })
  }

  *#propose(call: ToolCall): Generator<RunOutput, void, undefined> {
    let outcome: ProposalOutcome = { refusal: UNANSWERED }
    yield { type: 'propose', call, settle: (settled) => void (outcome = settled) }
    if ('refusal' in outcome) this.#results.push({ callId: call.callId, text: resultText(outcome.refusal) })
    else this.#isProposed = true
  }
}

const UNANSWERED: ToolResult = { isError: true, content: { error: 'The tool gave no result.' } }

function faultIn(tool: RunTool | undefined, given: unknown): string | undefined {
  if (tool === undefined) return 'There is no such tool.'
  return given === undefined ? 'The arguments should be a JSON object.' : argumentFault(tool, given)
}

/** Whatever a model calls, its name goes back to the endpoint, which takes few characters. */
function nameIn(written: string): string {
  return written.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, NAME_LENGTH_MAX) || 'unknown'
}

const NAME_LENGTH_MAX = 64

/** @returns undefined for what is no JSON object. A call without any arguments has none. */
function argumentsIn(text: string): ToolCall['arguments'] | undefined {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text)
    const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isRecord ? (value as ToolCall['arguments']) : undefined
  } catch {
    return undefined
  }
}
