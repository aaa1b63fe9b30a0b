/** A tool call as the model wrote it. The text of its arguments should be JSON, but may not be. */
export interface RawToolCall {
  readonly id: string
  readonly tool: string
  readonly argumentsText: string
}

export interface TokenCount {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** The whole completion of a model in one step. */
export interface ChatCompletion {
  readonly text: string
  readonly calls: readonly RawToolCall[]
  /** Undefined if the endpoint does not report it. */
  readonly usage: TokenCount | undefined
  /** Whether the completion was longer than allowed. */
  readonly isTruncated: boolean
}

/** Thrown if a part of a stream violates the protocol. */
class BrokenStreamError extends Error {
  override readonly name = 'BrokenStreamError'
}

/** The maximum length of the text, and of all arguments together, in characters. */
const TEXT_LENGTH_MAX = 200_000
const CALLS_MAX = 64

interface GrowingCall {
  id: string
  tool: string
  argumentsText: string
}

/** Assembles a completion from the parts of its stream. */
export class ChatCompletionBuilder {
  #text = ''
  #argumentsLength = 0
  readonly #calls = new Map<number, GrowingCall>()
  #usage: TokenCount | undefined
  #reason: string | undefined
  #isTooLong = false

  /** The text so far. */
  get text(): string {
    return this.#text
  }

  /** Whether the end of the completion has arrived. */
  get isOver(): boolean {
    return this.#reason !== undefined || this.#isTooLong
  }

  /** Whether the completion exceeds the maximum length. If so, the rest need not be read. */
  get isTooLong(): boolean {
    return this.#isTooLong
  }

  /** @throws BrokenStreamError */
  add(part: unknown): void {
    const { error, usage, choices } = recordOf(part)
    if (error !== undefined && error !== null) throw new BrokenStreamError()
    this.#usage = usageOf(usage) ?? this.#usage
    const [choice] = listOf(choices)
    if (choice === undefined) return
    const { delta, finish_reason: reason } = recordOf(choice)
    if (delta !== undefined && delta !== null) this.#addDelta(recordOf(delta))
    if (typeof reason === 'string') this.#reason = reason
  }

  build(): ChatCompletion {
    const calls = [...this.#calls].sort(([one], [other]) => one - other).map(([, call]) => ({ ...call }))
    return { text: this.#text, calls, usage: this.#usage, isTruncated: this.#isTooLong || this.#reason === 'length' }
  }

  #addDelta({ content, tool_calls: calls }: Readonly<Record<string, unknown>>): void {
    if (typeof content === 'string') this.#text += content
    for (const [place, fragment] of listOf(calls).entries()) this.#addFragment(recordOf(fragment), place)
    this.#isTooLong ||=
      this.#text.length > TEXT_LENGTH_MAX || this.#argumentsLength > TEXT_LENGTH_MAX || this.#calls.size > CALLS_MAX
  }

  /** Adds a fragment of a call. Its id and name are in the first fragment, pieces of its arguments in any. */
  #addFragment(fragment: Readonly<Record<string, unknown>>, place: number): void {
    const index = typeof fragment['index'] === 'number' ? fragment['index'] : place
    const call = this.#calls.get(index) ?? { id: '', tool: '', argumentsText: '' }
    this.#calls.set(index, call)
    const { name, arguments: piece } = recordOf(fragment['function'] ?? {})
    if (typeof fragment['id'] === 'string' && call.id === '') call.id = fragment['id']
    if (typeof name === 'string' && call.tool === '') call.tool = name
    if (typeof piece !== 'string') return
    call.argumentsText += piece
    this.#argumentsLength += piece.length
  }
}

function usageOf(value: unknown): TokenCount | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { prompt_tokens: input, completion_tokens: output } = recordOf(value)
  return isCount(input) && isCount(output) ? { inputTokens: input, outputTokens: output } : undefined
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new BrokenStreamError()
  return value as Readonly<Record<string, unknown>>
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new BrokenStreamError()
  return value
}
