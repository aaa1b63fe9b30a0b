import { createParser } from 'eventsource-parser'
import type { ModelEndpoint } from '../../kernel/addresses.ts'
import { ChosenHostError, postToChosenHost } from '../../outbound/chosen_host.ts'
import { BrokenStreamError, GrowingAnswer, type ChatAnswer } from './chat_answer.ts'

export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string | null; readonly tool_calls?: readonly ChatCall[] }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string }

export interface ChatCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

export interface ChatQuestion {
  /** The remote name. */
  readonly model: string
  readonly messages: readonly ChatMessage[]
  readonly tools?: readonly object[]
}

export interface ChatPart {
  readonly type: 'partial'
  readonly text: string
}

/**
 * Why a model gave no answer: it refuses the key (`unauthorized`) or the request itself (`refused`), which asking again does not
 * change; or it is `unavailable` or `late`. What it said about that is not kept.
 */
export class ChatError extends Error {
  override readonly name = 'ChatError'
  readonly reason: 'unauthorized' | 'refused' | 'unavailable' | 'late'
  /** What it answered with; undefined where no answer came, or it broke off. */
  readonly status: number | undefined

  constructor(reason: ChatError['reason'], status?: number) {
    super(`The model endpoint gave no answer: ${reason}.`)
    this.reason = reason
    this.status = status
  }

  get mayPass(): boolean {
    return this.reason === 'unavailable' || this.reason === 'late'
  }
}

/** Bytes of one answer as they are sent, which is many times its text. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024

/**
 * Asks a model once, and reads its answer as it is written.
 * @yields the whole text so far, whenever some has been added
 * @returns the whole answer
 * @throws ChatError, or the reason of `signal`
 */
export async function* streamChat(
  endpoint: ModelEndpoint,
  question: ChatQuestion,
  signal: AbortSignal,
): AsyncGenerator<ChatPart, ChatAnswer, undefined> {
  const growing = new GrowingAnswer()
  try {
    for await (const data of eventsOf(await send(endpoint, question, signal))) {
      const before = growing.text.length
      growing.take(data)
      if (growing.text.length > before) yield { type: 'partial', text: growing.text }
      if (growing.isTooLong) break
    }
  } catch (error) {
    throw chatError(error)
  }
  if (!growing.isOver) throw new ChatError('unavailable')
  return growing.finish()
}

async function send(endpoint: ModelEndpoint, question: ChatQuestion, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  const { url, key, headers, secondsMax } = endpoint
  const { status, bytes } = await postToChosenHost(
    {
      url: `${url}/chat/completions`,
      headers: { ...headers, Accept: 'text/event-stream', ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }) },
      body: { ...question, stream: true, stream_options: { include_usage: true } },
      milliseconds: secondsMax * 1000,
      bytesMax: ANSWER_BYTES_MAX,
    },
    signal,
  )
  if (status === 200) return bytes
  await drop(bytes)
  signal.throwIfAborted()
  if (status === 401 || status === 403) throw new ChatError('unauthorized', status)
  throw new ChatError(status === 408 || status === 429 || status >= 500 ? 'unavailable' : 'refused', status)
}

/** Lets go of an answer that nobody looks at. */
async function drop(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const chunk of bytes) if (chunk) break
  } catch {
    // It has broken off by itself.
  }
}

/** Ends the stream of an answer. */
const DONE = '[DONE]'

/** The data of each event, in whatever pieces the bytes come. */
async function* eventsOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const found: string[] = []
  const parser = createParser({ onEvent: ({ data }) => found.push(data) })
  const decoder = new TextDecoder()
  for await (const chunk of bytes) {
    parser.feed(decoder.decode(chunk, { stream: true }))
    for (const data of found.splice(0)) {
      if (data.trim() === DONE) return
      yield data
    }
  }
}

function chatError(error: unknown): unknown {
  if (error instanceof BrokenStreamError) return new ChatError('unavailable')
  if (error instanceof ChosenHostError) return new ChatError(error.isLate ? 'late' : 'unavailable')
  return error
}
