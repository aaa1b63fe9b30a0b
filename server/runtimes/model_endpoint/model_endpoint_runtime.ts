import { setTimeout as pauseFor } from 'node:timers/promises'
import type { RunFailure, RunInput, RunOutput, Runtime } from '../../domain/agents/runtime.ts'
import type { ModelEndpoint } from '../../kernel/addresses.ts'
import { inputTexts } from '../usage_count.ts'
import { tokensOf } from '../tokens.ts'
import { ChatError, streamChat, type ChatMessage } from './chat.ts'
import type { ChatAnswer, TokenCount } from './chat_answer.ts'
import { conversationOf, functionOf, settledText } from './conversation.ts'
import { ToolStep } from './tool_step.ts'

type Failed = Extract<RunOutput, { type: 'failed' }>
type Outputs<Result> = AsyncGenerator<RunOutput, Result, undefined>

export interface EndpointParts {
  /** Waits; ends early, by throwing, when the signal is aborted. */
  pause?(milliseconds: number, signal: AbortSignal): Promise<unknown>
  /** Told of every attempt that failed, for those who run the service. */
  report?(error: ChatError): void
}

/** Milliseconds before the second and the third attempt. */
const PAUSES = [1_000, 4_000] as const
/** Steps of one run in which a model may call tools wrongly and is told so. */
const WRONG_STEPS_MAX = 2

/** Agents that a model elsewhere speaks for. */
export function modelEndpointRuntime(endpoint: ModelEndpoint, parts: EndpointParts = {}): Runtime {
  return {
    models: [...endpoint.models.keys()],
    run: (input, signal) => new EndpointRun(endpoint, parts, input, signal).outputs(),
  }
}

class EndpointRun {
  readonly #endpoint: ModelEndpoint
  readonly #parts: EndpointParts
  readonly #input: RunInput
  readonly #signal: AbortSignal
  readonly #messages: ChatMessage[]
  /** What the model is given and has not been counted. */
  #unread: string[]
  #tokens = 0

  constructor(endpoint: ModelEndpoint, parts: EndpointParts, input: RunInput, signal: AbortSignal) {
    this.#endpoint = endpoint
    this.#parts = parts
    this.#input = input
    this.#signal = signal
    this.#messages = conversationOf(input)
    // The run that proposed has counted all but what has become of its proposals.
    const decided = input.settled.filter(({ decision }) => decision !== undefined)
    this.#unread = decided.length === 0 ? inputTexts(input) : decided.map(settledText)
  }

  /** Nothing more once the signal is aborted. */
  async *outputs(): Outputs<void> {
    try {
      const failed = yield* this.#steps()
      if (failed) yield failed
    } catch (error) {
      if (!this.#signal.aborted) throw error
    }
  }

  async *#steps(): Outputs<Failed | undefined> {
    let wrongSteps = 0
    const { tokens, steps } = this.#input.budget
    for (let step = 0; step < steps && this.#tokens < tokens; step += 1) {
      const answer = yield* this.#answer()
      if ('type' in answer) return answer
      if (answer.text.trim() !== '') yield { type: 'message', text: answer.text }
      yield this.#count(answer)
      if (answer.isCut) break
      if (answer.calls.length === 0)
        return answer.text.trim() === '' ? failed('agent_error', 'The model gave an empty answer.') : undefined
      const done = yield* new ToolStep(this.#input.tools, answer).outputs()
      this.#messages.push(...done.messages)
      this.#unread.push(...done.results)
      if (done.isWrong) wrongSteps += 1
      if (wrongSteps > WRONG_STEPS_MAX) return failed('tool_failed', 'The model kept calling tools wrongly.')
      if (done.isProposed) return undefined
    }
    return failed('output_limit', 'The turn has used up its steps or tokens.')
  }

  /** One answer, after three attempts at most. */
  async *#answer(): Outputs<ChatAnswer | Failed> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return yield* this.#attempt()
      } catch (error) {
        if (!(error instanceof ChatError)) throw error
        this.#parts.report?.(error)
        const pause = PAUSES[attempt]
        if (!error.mayPass || pause === undefined) return failureOf(error)
        await (this.#parts.pause ?? wait)(pause, this.#signal)
      }
    }
  }

  async *#attempt(): Outputs<ChatAnswer> {
    const { models } = this.#endpoint
    const tools = this.#input.tools.map(functionOf)
    const question = {
      model: models.get(this.#input.model) ?? this.#input.model,
      messages: this.#messages,
      // An empty list is refused by some.
      ...(tools.length > 0 ? { tools } : {}),
    }
    return yield* streamChat(this.#endpoint, question, this.#signal)
  }

  #count({ usage, text }: ChatAnswer): RunOutput {
    const count: TokenCount = usage ?? {
      inputTokens: this.#unread.reduce((sum, one) => sum + tokensOf(one), 0),
      outputTokens: tokensOf(text),
    }
    this.#unread = []
    this.#tokens += count.inputTokens + count.outputTokens
    return { type: 'usage', ...count }
  }
}

function wait(milliseconds: number, signal: AbortSignal): Promise<unknown> {
  return pauseFor(milliseconds, undefined, { signal })
}

function failed(code: RunFailure, message: string, retryable = false): Failed {
  return { type: 'failed', code, message, retryable }
}

function failureOf({ reason }: ChatError): Failed {
  switch (reason) {
    case 'unauthorized':
      return failed('runtime_unauthorized', 'The model endpoint refuses the key of this service.')
    case 'refused':
      return failed('agent_error', 'The model endpoint refused the request.')
    case 'late':
      return failed('runtime_timeout', 'The model endpoint took too long.', true)
    case 'unavailable':
      return failed('runtime_unavailable', 'The model endpoint cannot be used at the moment.', true)
  }
}
