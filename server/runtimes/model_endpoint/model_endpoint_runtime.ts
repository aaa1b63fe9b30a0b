import { setTimeout as pauseFor } from 'node:timers/promises'
import type { RunFailure, RunInput, RunOutput, Runtime } from '../../domain/agents/index.ts'
import type { ModelEndpoint } from '../../kernel/addresses.ts'
import { inputTexts } from '../usage_count.ts'
import { estimateTokens } from '../estimate_tokens.ts'
import { ChatError, streamChat, type ChatMessage } from './chat.ts'
import type { ChatCompletion, TokenCount } from './chat_completion.ts'
import { conversationOf, toolDefinition, settledText } from './conversation.ts'
import { ToolStep } from './tool_step.ts'

type Failed = Extract<RunOutput, { type: 'failed' }>
type Outputs<Result> = AsyncGenerator<RunOutput, Result, undefined>

export interface EndpointDeps {
  /** Waits. @throws if the signal is aborted in the meantime */
  pause?(milliseconds: number, signal: AbortSignal): Promise<unknown>
  /** Called with the error of each failed attempt, for the log. */
  report?(error: ChatError): void
}

/** The pauses in milliseconds before the second and the third attempt. */
const PAUSES = [1_000, 4_000] as const
/** The maximum number of steps of a run that may contain invalid tool calls. The model receives their errors. */
const INVALID_STEPS_MAX = 2

/** Runs agents with the models of an endpoint. */
export function modelEndpointRuntime(endpoint: ModelEndpoint, deps: EndpointDeps = {}): Runtime {
  return {
    models: [...endpoint.models.keys()],
    run: (input, signal) => new EndpointRun(endpoint, deps, input, signal).outputs(),
  }
}

class EndpointRun {
  readonly #endpoint: ModelEndpoint
  readonly #deps: EndpointDeps
  readonly #input: RunInput
  readonly #signal: AbortSignal
  readonly #messages: ChatMessage[]
  /** Input of the model that is not counted yet. */
  #uncounted: string[]
  #tokens = 0

  constructor(endpoint: ModelEndpoint, deps: EndpointDeps, input: RunInput, signal: AbortSignal) {
    this.#endpoint = endpoint
    this.#deps = deps
    this.#input = input
    this.#signal = signal
    this.#messages = conversationOf(input)
    // The run that made the proposals has already counted everything except their outcomes.
    const decided = input.settled.filter(({ decision }) => decision !== undefined)
    this.#uncounted = decided.length === 0 ? inputTexts(input) : decided.map(settledText)
  }

  /** Ends silently if the signal is aborted. */
  async *outputs(): Outputs<void> {
    try {
      const failed = yield* this.#steps()
      if (failed) yield failed
    } catch (error) {
      if (!this.#signal.aborted) throw error
    }
  }

  async *#steps(): Outputs<Failed | undefined> {
    let invalidSteps = 0
    const { tokens, steps } = this.#input.budget
    for (let step = 0; step < steps && this.#tokens < tokens; step += 1) {
      const completion = yield* this.#completion()
      if ('type' in completion) return completion
      if (completion.text.trim() !== '') yield { type: 'message', text: completion.text }
      yield this.#count(completion)
      if (completion.isTruncated) break
      if (completion.calls.length === 0)
        return completion.text.trim() === '' ? failed('agent_error', 'The model returned an empty response.') : undefined
      const done = yield* new ToolStep(this.#input.tools, completion).outputs()
      this.#messages.push(...done.messages)
      this.#uncounted.push(...done.results)
      if (done.hasInvalidCalls) invalidSteps += 1
      if (invalidSteps > INVALID_STEPS_MAX) return failed('tool_failed', 'The model kept making invalid tool calls.')
      if (done.hasProposals) return undefined
    }
    return failed('output_limit', 'The turn has used up its steps or tokens.')
  }

  /** Requests one completion, in at most three attempts. */
  async *#completion(): Outputs<ChatCompletion | Failed> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return yield* this.#attempt()
      } catch (error) {
        if (!(error instanceof ChatError)) throw error
        this.#deps.report?.(error)
        const pause = PAUSES[attempt]
        if (!error.isTransient || pause === undefined) return failureOf(error)
        await (this.#deps.pause ?? wait)(pause, this.#signal)
      }
    }
  }

  async *#attempt(): Outputs<ChatCompletion> {
    const { models } = this.#endpoint
    const tools = this.#input.tools.map(toolDefinition)
    const question = {
      model: models.get(this.#input.model) ?? this.#input.model,
      messages: this.#messages,
      // Some endpoints reject an empty list.
      ...(tools.length > 0 ? { tools } : {}),
    }
    return yield* streamChat(this.#endpoint, question, this.#signal)
  }

  #count({ usage, text }: ChatCompletion): RunOutput {
    const count: TokenCount = usage ?? {
      inputTokens: this.#uncounted.reduce((sum, one) => sum + estimateTokens(one), 0),
      outputTokens: estimateTokens(text),
    }
    this.#uncounted = []
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
      return failed('runtime_unauthorized', 'The model endpoint refused the key of this service.')
    case 'refused':
      return failed('agent_error', 'The model endpoint refused the request.')
    case 'late':
      return failed('runtime_timeout', 'The model endpoint took too long.', true)
    case 'unavailable':
      return failed('runtime_unavailable', 'The model endpoint is unavailable.', true)
  }
}
