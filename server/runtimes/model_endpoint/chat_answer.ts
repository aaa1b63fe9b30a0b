/** A tool call as a model wrote it: its arguments are text that should be JSON. */
export interface WrittenCall {
  readonly id: string
  readonly tool: string
  readonly argumentsText: string
}

export interface TokenCount {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** All that a model answered in one step. */
export interface ChatAnswer {
  readonly text: string
  readonly calls: readonly WrittenCall[]
  /** Undefined where the endpoint does not count. */
  readonly usage: TokenCount | undefined
  /** The model had more to say than it may. */
  readonly isCut: boolean
}

/** A part of a stream that is not of the protocol. */
class BrokenStreamError extends Error {
  override readonly name = 'BrokenStreamError'
}

/** Characters of a text, and of all arguments together. */
const TEXT_LENGTH_MAX = 200_000
const CALLS_MAX = 64

interface GrowingCall {
  id: string
  tool: string
  argumentsText: string
}

/** Puts an answer together from the parts of its stream. */
export class GrowingAnswer {
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

  /** It has been said how the answer ended. */
  get isOver(): boolean {
    return this.#reason !== undefined || this.#isTooLong
  }

  /** More than an answer may hold has come; the rest need not be read. */
  get isTooLong(): boolean {
    return this.#isTooLong
  }

  /** @throws BrokenStreamError */
  take(part: unknown): void {
    const { error, usage, choices } = recordOf(part)
    if (error !== undefined && error !== null) throw new BrokenStreamError()
    this.#usage = usageOf(usage) ?? this.#usage
    const [choice] = listOf(choices)
    if (choice === undefined) return
    const { delta, finish_reason: reason } = recordOf(choice)
    if (delta !== undefined && delta !== null) this.#takeDelta(recordOf(delta))
    if (typeof reason === 'string') this.#reason = reason
  }

  finish(): ChatAnswer {
    const calls = [...this.#calls].sort(([one], [other]) => one - other).map(([, call]) => ({ ...call }))
    return { text: this.#text, calls, usage: this.#usage, isCut: this.#isTooLong || this.#reason === 'length' }
  }

  #takeDelta({ content, tool_calls: calls }: Readonly<Record<string, unknown>>): void {
    if (typeof content === 'string') this.#text += content
    for (const [place, fragment] of listOf(calls).entries()) this.#takeFragment(recordOf(fragment), place)
    this.#isTooLong ||=
      this.#text.length > TEXT_LENGTH_MAX || this.#argumentsLength > TEXT_LENGTH_MAX || this.#calls.size > CALLS_MAX
  }

  /** A call comes in fragments: its id and name with the first, pieces of its arguments with any. */
  #takeFragment(fragment: Readonly<Record<string, unknown>>, place: number): void {
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
