import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { parse } from 'yaml'
import type { ClientOptions, Input, SessionFrame, SessionStreamFrame } from '../../client/src/index.ts'
import { parseObject } from '../harness/json.ts'
import type { Play, StandIn } from './stand_in.ts'

/** An example frame of the contract. */
export function example(name: string): SessionStreamFrame {
  const { value } = parse(readFileSync(`spec/resources/sessions/examples/Stream${name}.yaml`, 'utf8')) as {
    value: SessionStreamFrame
  }
  return value
}

/** The first turn of a session, up to the decision that it waits for. */
export const turn: readonly SessionStreamFrame[] = [
  'Snapshot',
  'UserMessage',
  'InProgress',
  'ProvisionalToolUse',
  'ToolUse',
  'ToolResult',
  'ProvisionalMessage',
  'AgentMessage',
  'RequiresAction',
  'End',
].map(example)

/** The text of a sent frame. */
export function wire(frame: SessionStreamFrame): string {
  return `event: ${frame.type}\ndata: ${JSON.stringify(frame)}\n\n`
}

export function begin(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' })
  response.flushHeaders()
}

/** Responds with these frames, then calls `last`, which by default ends the response. */
export function frames(sent: readonly SessionStreamFrame[], last: (response: ServerResponse) => void = (it) => it.end()): Play {
  return (response) => {
    begin(response)
    // Destroying the connection before the write completes would lose the frames.
    response.write(`: hello\n\n${sent.map(wire).join('')}`, () => last(response))
  }
}

/** The service's response to a request that follows the turn: the snapshot, the events after the given one, the end. */
function replay(body: string): readonly SessionStreamFrame[] {
  const from = parseObject(body)['continue_from']
  const ids = turn.map((frame) => (frame.type === 'event.committed' ? frame.event.id : undefined))
  const after = from === '0' ? 0 : ids.indexOf(String(from))
  return turn.filter((frame, index) => frame.type !== 'event.provisional' && (index === 0 || index > after))
}

export const message = { body: { message: 'Which keel bolts does Heron need?' } }
export const session_id = '1007e910-f9a8-4ab8-99b3-43bb8a01f57a'
export const breaks = (response: ServerResponse): void => void response.destroy()

export const committed = (all: readonly SessionStreamFrame[]): readonly string[] =>
  all.flatMap((frame) => (frame.type === 'event.committed' ? [frame.event.id] : []))
/** The events of the turn. */
export const ids = committed(turn)

/** The frames of a stream, and how it ends. */
export async function readFrom(
  standIn: StandIn,
  input: Input<'createSession'> = message,
  options: Partial<ClientOptions> = {},
): Promise<{ readonly seen: SessionFrame[]; readonly error: unknown }> {
  const seen: SessionFrame[] = []
  try {
    const { body, ...callOptions } = input
    for await (const frame of standIn.client(options).sessions.stream(body, callOptions)) seen.push(frame)
    return { seen, error: undefined }
  } catch (error) {
    return { seen, error }
  }
}

export type Read = (input?: Input<'createSession'>, options?: Partial<ClientOptions>) => ReturnType<typeof readFrom>

/** Follows the turn as the service does, after other responses to the first requests. */
export function playTurn(standIn: StandIn, ...before: Play[]): void {
  const follow: Play = (response, request) => frames(replay(standIn.requests.at(-1)?.body ?? ''))(response, request)
  standIn.play(...before, ...Array.from({ length: 30 }, () => follow))
}
