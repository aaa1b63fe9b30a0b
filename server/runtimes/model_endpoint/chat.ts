import { ReadableStream } from 'node:stream/web'
import type ChatClient from 'openai'
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions'
import type { ModelEndpoint } from '../../kernel/addresses.ts'
import { ChosenHostError, postToChosenHost } from '../../outbound/chosen_host.ts'
import { GrowingAnswer, type ChatAnswer } from './chat_answer.ts'

export type ChatMessage = ChatCompletionMessageParam
export type ChatTool = ChatCompletionTool

export interface ChatQuestion {
  /** The remote name. */
  readonly model: string
  readonly messages: ChatMessage[]
  readonly tools?: ChatTool[]
}

interface ChatPart {
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
  const client = await clientFor(endpoint)
  const growing = new GrowingAnswer()
  try {
    const asked = { ...question, stream: true, stream_options: { include_usage: true } } as const
    for await (const part of await client.chat.completions.create(asked, { signal })) {
      const before = growing.text.length
      growing.take(part)
      if (growing.text.length > before) yield { type: 'partial', text: growing.text }
      if (growing.isTooLong) break
    }
  } catch (error) {
    signal.throwIfAborted()
    throw chatError(error)
  }
  // To be stopped counts as an end of the stream.
  signal.throwIfAborted()
  if (!growing.isOver) throw new ChatError('unavailable')
  return growing.finish()
}

/**
 * The library is loaded with the first question: services without an endpoint do without its memory. It is told neither the key nor
 * to log, and nothing it says of itself is sent: it takes some of that from the environment.
 */
async function clientFor(endpoint: ModelEndpoint): Promise<ChatClient> {
  const { default: Client } = await import('openai')
  return new Client({
    baseURL: endpoint.url,
    apiKey: 'unused',
    fetch: (url, init) => send(endpoint, String(url), init ?? {}),
    logLevel: 'off',
    // Those who ask try again, and the request has a time limit of its own: this is the longest that a timer can wait.
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
  })
}

/** Sends a question with no headers but those of the settings. What a refusal says is not read. */
async function send({ key, headers, secondsMax }: ModelEndpoint, url: string, { body, signal }: RequestInit): Promise<Response> {
  const { status, bytes } = await postToChosenHost(
    {
      url,
      headers: { ...headers, Accept: 'text/event-stream', ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }) },
      json: String(body),
      milliseconds: secondsMax * 1000,
      bytesMax: ANSWER_BYTES_MAX,
    },
    signal ?? new AbortController().signal,
  )
  // The types of the platform and of Node differ in words alone.
  if (status === 200) return new Response(ReadableStream.from(bytes) as BodyInit)
  await drop(bytes)
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

/** @param error what `send` threw, or wraps that; anything else is about an answer that is not of the protocol, and may quote it */
function chatError(error: unknown): ChatError {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  if (cause instanceof ChatError) return cause
  return new ChatError(cause instanceof ChosenHostError && cause.isLate ? 'late' : 'unavailable')
}
