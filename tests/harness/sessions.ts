import { request as httpRequest, type ClientRequest, type IncomingHttpHeaders } from 'node:http'
import type { SessionStreamFrame } from '../../generated/types.ts'
import { newestRelease } from '../../generated/operations.ts'
import type { Caller } from './caller.ts'
import { validatorOf } from './contract.ts'
import { at, type Json, type JsonObject } from './json.ts'
import { until } from './process.ts'
import { TOKEN } from './server.ts'
import { markValuesOfResponse } from './seen_values.ts'

export { proposing, ScriptedAgents } from './scripted_agents.ts'

/** Sends a message and waits until the turn has stopped. @returns the session afterwards */
export async function talk(caller: Caller, body: JsonObject): Promise<JsonObject> {
  const response = await caller.call('createSession', { body })
  if (response.status !== 200) throw new Error(response.text)
  return stopped(caller, String(response.body['id']))
}

/** Waits until the turn of a session has stopped. @returns the session */
export function stopped(caller: Caller, id: string): Promise<JsonObject> {
  return until(async () => {
    const { body } = await caller.call('retrieveSession', { path: { session_id: id } })
    return body['status'] === 'queued' || body['status'] === 'in_progress' ? undefined : body
  })
}

/** The events of a session, as a query returns them. */
export async function eventsOf(caller: Caller, id: string): Promise<JsonObject[]> {
  const { body } = await caller.call('querySessionEvents', { path: { session_id: id } })
  return at(body, 'results') as JsonObject[]
}

/** Events in short, such as `session.status completed`. */
export function outline(events: readonly JsonObject[]): string[] {
  return events.map((event) => {
    const [part] = (event['content'] ?? []) as JsonObject[]
    const detail = event['status'] ?? event['tool_name'] ?? part?.['text'] ?? ''
    return `${String(event['type'])} ${String(detail)}`
  })
}

export function decision(session: JsonObject, option: 'approve' | 'reject', index = 0): JsonObject {
  const action = (session['required_actions'] as JsonObject[])[index]
  return { session_id: session['id'] as Json, actions: [{ action_id: action?.['action_id'] ?? '', option_id: option }] }
}

/** An open stream. Each of its frames is checked against the contract. */
export class SessionStream {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly frames: SessionStreamFrame[] = []
  /** The number of comment lines. */
  heartbeats = 0
  /** Resolves when the response has ended or the connection is broken. */
  readonly ended: Promise<void>
  readonly #request: ClientRequest
  /** Called after each frame. */
  onFrame: () => void = () => undefined
  /** Stops reading until `resume`. */
  pause: () => void = () => undefined
  resume: () => void = () => undefined

  constructor(request: ClientRequest, status: number, headers: IncomingHttpHeaders, ended: Promise<void>) {
    this.#request = request
    this.status = status
    this.headers = headers
    this.ended = ended
  }

  /** Breaks the connection. */
  drop(): void {
    this.#request.destroy()
  }

  take(text: string): void {
    for (const block of text.split('\n\n')) {
      if (block.startsWith(':')) this.heartbeats += 1
      else if (block !== '') {
        this.frames.push(parseFrame(block))
        this.onFrame()
      }
    }
  }

  /** The events of all `event.committed` frames. */
  get committed(): JsonObject[] {
    return this.frames.flatMap((frame) => (frame.type === 'event.committed' ? [frame.event as unknown as JsonObject] : []))
  }
}

function parseFrame(block: string): SessionStreamFrame {
  const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? []
  if (name === undefined || data === undefined) throw new Error(`no frame: ${block}`)
  const frame = JSON.parse(data) as SessionStreamFrame
  if (frame.type !== name) throw new Error(`the frame ${name} says that it is ${frame.type}`)
  const validate = validatorOf(FRAME)
  if (!validate(frame)) throw new Error(`a frame against the contract: ${data}\n${JSON.stringify(validate.errors)}`)
  markValuesOfResponse(frame)
  return frame
}

const FRAME = { $ref: '#/components/schemas/SessionStreamFrame' }

/**
 * Opens a stream.
 * @throws Error with the response if it is not a stream
 */
export function openStream(
  url: string,
  body: JsonObject,
  headers: Readonly<Record<string, string>> = {},
  token = TOKEN,
): Promise<SessionStream> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${url}/v1/sessions`, {
      method: 'POST',
      agent: false,
      headers: {
        Authorization: `Bearer ${token}`,
        'Service-Version': newestRelease,
        'Content-Type': 'application/json',
        Accept: 'text/event-stream',
        ...headers,
      },
    })
    request.on('error', reject)
    request.on('response', (response) => {
      const ended = new Promise<void>((end) => response.once('close', () => end()))
      const stream = new SessionStream(request, response.statusCode ?? 0, response.headers, ended)
      stream.pause = () => void response.pause()
      stream.resume = () => void response.resume()
      let text = ''
      response.setEncoding('utf8')
      response.on('error', () => undefined)
      response.on('data', (chunk: string) => {
        text += chunk
        if (stream.status !== 200) return
        const end = text.lastIndexOf('\n\n') + 2
        if (end < 2) return
        stream.take(text.slice(0, end))
        text = text.slice(end)
      })
      if (stream.status === 200) resolve(stream)
      else response.once('end', () => reject(new Error(text)))
    })
    request.end(JSON.stringify(body))
  })
}

/** Reads a whole stream, from its snapshot to its end. */
export async function wholeStream(
  url: string,
  body: JsonObject,
  headers: Readonly<Record<string, string>> = {},
): Promise<SessionStream> {
  const stream = await openStream(url, body, headers)
  await stream.ended
  return stream
}
