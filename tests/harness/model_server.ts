import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ModelEndpoint } from '../../server/kernel/addresses.ts'
import type { JsonObject } from './json.ts'
import { pour, startLocalServer } from './local_server.ts'

/** How a model answers one request. */
export type ModelAnswer = (response: ServerResponse, body: JsonObject) => void

/** A server of chat completions on the loopback address, with scripted answers. */
export interface ModelServer {
  readonly endpoint: ModelEndpoint
  readonly requests: readonly { readonly path: string; readonly headers: IncomingMessage['headers']; readonly body: JsonObject }[]
  /** Adds answers for the next requests, in order. Without one, the answer is 500. */
  answers(...next: ModelAnswer[]): void
  close(): Promise<void>
}

export const MODEL_KEY = 'key-of-the-model-endpoint'

export async function startModelServer(more: Partial<ModelEndpoint> = {}): Promise<ModelServer> {
  const queue: ModelAnswer[] = []
  const requests: { path: string; headers: IncomingMessage['headers']; body: JsonObject }[] = []
  const { url, close } = await startLocalServer((response, { url: path = '', headers }, bytes) => {
    const body = JSON.parse(bytes.toString('utf8')) as JsonObject
    requests.push({ path, headers, body })
    const answer = queue.shift() ?? status(500)
    answer(response, body)
  })
  return {
    endpoint: {
      url: `${url}/v1`,
      models: new Map([['house-model', 'remote/model-1']]),
      key: MODEL_KEY,
      headers: { 'X-Department': 'harbour' },
      secondsMax: 60,
      ...more,
    },
    requests,
    answers: (...next) => void queue.push(...next),
    close,
  }
}

/** An error whose body must never be shown. */
export function status(code: number, headers: Readonly<Record<string, string>> = {}): ModelAnswer {
  return (response) =>
    void response
      .writeHead(code, { 'Content-Type': 'application/json', ...headers })
      .end(JSON.stringify({ error: { message: `secret words of the remote, ${MODEL_KEY}` } }))
}

/** A chunk of a streamed answer. */
export function delta(content: object, more: object = {}): object {
  return { choices: [{ index: 0, delta: content, finish_reason: null, ...more }] }
}

export function usage(input: number, output: number): object {
  return { choices: [], usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output } }
}

/** The whole stream of an answer as text. */
export function streamText(parts: readonly (object | string)[], end = 'data: [DONE]\n\n'): string {
  return parts.map((part) => `data: ${typeof part === 'string' ? part : JSON.stringify(part)}\n\n`).join('') + end
}

/** Sends a stream in pieces of a number of bytes, which may split characters, lines and events. */
export function streams(parts: readonly (object | string)[], pieceBytes = 65_536, end?: string): ModelAnswer {
  return (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    const bytes = Buffer.from(streamText(parts, end))
    const send = (start: number): void => {
      if (start >= bytes.length) return void response.end()
      response.write(bytes.subarray(start, start + pieceBytes), () => setImmediate(send, start + pieceBytes))
    }
    send(0)
  }
}

/** Answers with a text, a few characters at a time. */
export function says(text: string, pieceBytes?: number, counted: readonly object[] = [usage(100, 20)]): ModelAnswer {
  const parts = (text.match(/[^]{1,7}/gu) ?? []).map((content) => delta({ content }))
  return streams(
    [delta({ role: 'assistant', content: '' }), ...parts, delta({}, { finish_reason: 'stop' }), ...counted],
    pieceBytes,
  )
}

export interface AskedTool {
  readonly tool: string
  readonly arguments: string | object
  readonly id?: string
}

/** Calls tools in one step: first the names, then the arguments in interleaved fragments. */
export function callsTools(...asked: AskedTool[]): ModelAnswer {
  const texts = asked.map(({ arguments: value }) => (typeof value === 'string' ? value : JSON.stringify(value)))
  const heads = asked.map(({ tool, id }, index) =>
    delta({ tool_calls: [{ index, id: id ?? `call-${index}`, type: 'function', function: { name: tool, arguments: '' } }] }),
  )
  const fragments: object[] = []
  for (let start = 0; start < Math.max(...texts.map(({ length }) => length)); start += 5) {
    for (const [index, text] of texts.entries()) {
      const piece = text.slice(start, start + 5)
      if (piece !== '') fragments.push(delta({ tool_calls: [{ index, function: { arguments: piece } }] }))
    }
  }
  return streams([...heads, ...fragments, delta({}, { finish_reason: 'tool_calls' }), usage(100, 20)])
}

/** Sends a stream of nothing but signs of life, without an end. */
export const neverEnds: ModelAnswer = (response) => {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  pour(response, `: ${'wait '.repeat(2_000)}\n\n`)
}

/** Sends a part of a stream and breaks the connection. */
export function breaksOff(...parts: object[]): ModelAnswer {
  return (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.write(streamText(parts, ''), () => response.destroy())
  }
}

/** Sends a part of a stream and then nothing more, without ending it. */
export function hangs(...parts: object[]): ModelAnswer {
  return (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.write(streamText(parts, '') || ': wait\n\n')
  }
}
