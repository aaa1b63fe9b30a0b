import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ModelEndpoint } from '../../server/kernel/addresses.ts'
import type { JsonObject } from './json.ts'
import { pour, startLocalServer } from './local_server.ts'

/** Responds to one request of a model's client. */
export type ModelHandler = (response: ServerResponse, body: JsonObject) => void

/** A server of chat completions on the loopback address, with scripted responses. */
export interface ModelServer {
  readonly endpoint: ModelEndpoint
  readonly requests: readonly { readonly path: string; readonly headers: IncomingMessage['headers']; readonly body: JsonObject }[]
  /** Adds responses for the next requests, in order. Without one, the response is 500. */
  respond(...next: ModelHandler[]): void
  close(): Promise<void>
}

export const MODEL_KEY = 'key-of-the-model-endpoint'

export async function startModelServer(more: Partial<ModelEndpoint> = {}): Promise<ModelServer> {
  const queue: ModelHandler[] = []
  const requests: { path: string; headers: IncomingMessage['headers']; body: JsonObject }[] = []
  const { url, close } = await startLocalServer((response, { url: path = '', headers }, bytes) => {
    const body = JSON.parse(bytes.toString('utf8')) as JsonObject
    requests.push({ path, headers, body })
    const received = queue.shift() ?? status(500)
    received(response, body)
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
    respond: (...next) => void queue.push(...next),
    close,
  }
}

/** An error whose body must never be shown. */
export function status(code: number, headers: Readonly<Record<string, string>> = {}): ModelHandler {
  return (response) =>
    void response
      .writeHead(code, { 'Content-Type': 'application/json', ...headers })
      .end(JSON.stringify({ error: { message: `secret words of the remote, ${MODEL_KEY}` } }))
}

/** A chunk of a streamed response. */
export function delta(content: object, more: object = {}): object {
  return { choices: [{ index: 0, delta: content, finish_reason: null, ...more }] }
}

export function usage(input: number, output: number): object {
  return { choices: [], usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output } }
}

/** The whole stream of a response as text. */
export function streamText(parts: readonly (object | string)[], end = 'data: [DONE]\n\n'): string {
  return parts.map((part) => `data: ${typeof part === 'string' ? part : JSON.stringify(part)}\n\n`).join('') + end
}

/** Sends a stream in pieces of a number of bytes, which may split characters, lines and events. */
export function streams(parts: readonly (object | string)[], pieceBytes = 65_536, end?: string): ModelHandler {
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

/** Responds with a text, a few characters at a time. */
export function respondsWith(text: string, pieceBytes?: number, counted: readonly object[] = [usage(100, 20)]): ModelHandler {
  const parts = (text.match(/[^]{1,7}/gu) ?? []).map((content) => delta({ content }))
  return streams(
    [delta({ role: 'assistant', content: '' }), ...parts, delta({}, { finish_reason: 'stop' }), ...counted],
    pieceBytes,
  )
}

export interface ToolRequest {
  readonly tool: string
  readonly arguments: string | object
  readonly id?: string
}

/** Calls tools in one step: first the names, then the arguments in interleaved fragments. */
export function callsTools(...requests: ToolRequest[]): ModelHandler {
  const texts = requests.map(({ arguments: value }) => (typeof value === 'string' ? value : JSON.stringify(value)))
  const heads = requests.map(({ tool, id }, index) =>
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

/** Sends an endless stream of keep-alive comments. */
export const neverEnds: ModelHandler = (response) => {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  pour(response, `: ${'wait '.repeat(2_000)}\n\n`)
}

/** Sends a part of a stream and resets the connection. */
export function breaksOff(...parts: object[]): ModelHandler {
  return (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.write(streamText(parts, ''), () => response.destroy())
  }
}

/** Sends a part of a stream and then stalls. */
export function hangs(...parts: object[]): ModelHandler {
  return (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.write(streamText(parts, '') || ': wait\n\n')
  }
}
