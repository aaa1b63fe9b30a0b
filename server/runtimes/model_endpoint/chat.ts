import { ReadableStream } from 'node:stream/web'
import type ChatClient from 'openai'
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions'
import type { ModelEndpoint } from '../../kernel/addresses.ts'
import { ConfiguredHostError, postToConfiguredHost } from '../../outbound/post_to_configured_host.ts'
import { ChatCompletionBuilder, type ChatCompletion } from './chat_completion.ts'

export type ChatMessage = ChatCompletionMessageParam
export type ChatTool = ChatCompletionTool

export interface ChatRequest {
  /** The remote name of the model. */
  readonly model: string
  readonly messages: ChatMessage[]
  readonly tools?: ChatTool[]
}

interface ChatPart {
  readonly type: 'partial'
  readonly text: string
}

/**
 * Thrown if a model returned no completion. Either it refuses the key (`unauthorized`) or the request itself (`refused`), so that another
 * attempt would be useless; or it is `unavailable` or `late`. The error does not contain the text of the response.
 */
export class ChatError extends Error {
  override readonly name = 'ChatError'
  readonly reason: 'unauthorized' | 'refused' | 'unavailable' | 'late'
  /** The status of the response; undefined if there was none, or it was cut off. */
  readonly status: number | undefined

  constructor(reason: ChatError['reason'], status?: number) {
    super(`The model endpoint did not return a response: ${reason}.`)
    this.reason = reason
    this.status = status
  }

  get isTransient(): boolean {
    return this.reason === 'unavailable' || this.reason === 'late'
  }
}

/** The maximum size of one streamed completion, in bytes. A stream is many times as long as its text. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024

/**
 * Sends one request to a model and streams its completion.
 * @yields the text so far, whenever it has grown
 * @returns the whole completion
 * @throws ChatError, or the reason of `signal`
 */
export async function* streamChat(
  endpoint: ModelEndpoint,
  question: ChatRequest,
  signal: AbortSignal,
): AsyncGenerator<ChatPart, ChatCompletion, undefined> {
  const client = await clientFor(endpoint)
  const builder = new ChatCompletionBuilder()
  try {
    const body = { ...question, stream: true, stream_options: { include_usage: true } } as const
    for await (const part of await client.chat.completions.create(body, { signal })) {
      const before = builder.text.length
      builder.add(part)
      if (builder.text.length > before) yield { type: 'partial', text: builder.text }
      if (builder.isTooLong) break
    }
  } catch (error) {
    signal.throwIfAborted()
    throw chatError(error)
  }
  // When aborted, the client library ends the stream without an error.
  signal.throwIfAborted()
  if (!builder.isOver) throw new ChatError('unavailable')
  return builder.build()
}

/**
 * The client library is loaded for the first request, so that services without an endpoint need no memory for it. It does not get the key,
 * and does not log. Its own headers are not sent, because it takes some of them from the environment.
 */
async function clientFor(endpoint: ModelEndpoint): Promise<ChatClient> {
  const { default: Client } = await import('openai')
  return new Client({
    baseURL: endpoint.url,
    apiKey: 'unused',
    fetch: (url, init) => send(endpoint, String(url), init ?? {}),
    logLevel: 'off',
    // Callers retry, and the request has its own time limit. This is the longest time that a timer can have.
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
  })
}

/** Sends a request with only the headers in the settings. The body of an error response is not read. */
async function send({ key, headers, secondsMax }: ModelEndpoint, url: string, { body, signal }: RequestInit): Promise<Response> {
  const { status, bytes } = await postToConfiguredHost(
    {
      url,
      headers: { ...headers, Accept: 'text/event-stream', ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }) },
      json: String(body),
      milliseconds: secondsMax * 1000,
      bytesMax: ANSWER_BYTES_MAX,
    },
    signal ?? new AbortController().signal,
  )
  // The two types differ only in name.
  if (status === 200) return new Response(ReadableStream.from(bytes) as BodyInit)
  await discard(bytes)
  if (status === 401 || status === 403) throw new ChatError('unauthorized', status)
  throw new ChatError(status === 408 || status === 429 || status >= 500 ? 'unavailable' : 'refused', status)
}

/** Discards a response, so that its connection is released. */
async function discard(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const chunk of bytes) if (chunk) break
  } catch {
    // The stream is unusable anyway.
  }
}

/** @param error thrown by `send`, or wrapping such an error; any other error is about a malformed response, and may quote it */
function chatError(error: unknown): ChatError {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  if (cause instanceof ChatError) return cause
  return new ChatError(cause instanceof ConfiguredHostError && cause.hasTimedOut ? 'late' : 'unavailable')
}
