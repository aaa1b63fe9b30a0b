import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { parse } from 'yaml'
import type { SessionStreamFrame } from '../../client/src/index.ts'
import { parseObject } from '../harness/json.ts'
import type { Play } from './stand_in.ts'

/** A frame that the contract shows as an example. */
export function example(name: string): SessionStreamFrame {
  const { value } = parse(readFileSync(`spec/resources/sessions/examples/Stream${name}.yaml`, 'utf8')) as {
    value: SessionStreamFrame
  }
  return value
}

/** The first turn of a session, up to the decision that it asks for. */
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

/** A frame as it is sent. */
export function wire(frame: SessionStreamFrame): string {
  return `event: ${frame.type}\ndata: ${JSON.stringify(frame)}\n\n`
}

export function begin(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' })
  response.flushHeaders()
}

/** Answers with these frames, then does what `last` says: ends the answer, unless told otherwise. */
export function frames(sent: readonly SessionStreamFrame[], last: (response: ServerResponse) => void = (it) => it.end()): Play {
  return (response) => {
    begin(response)
    // What is destroyed before it was written would be lost on the way.
    response.write(`: hello\n\n${sent.map(wire).join('')}`, () => last(response))
  }
}

/** What the service answers to a request that follows the turn: the snapshot, the events after the one named, the end. */
export function replay(body: string): readonly SessionStreamFrame[] {
  const from = parseObject(body)['continue_from']
  const ids = turn.map((frame) => (frame.type === 'event.committed' ? frame.event.id : undefined))
  const after = from === '0' ? 0 : ids.indexOf(String(from))
  return turn.filter((frame, index) => frame.type !== 'event.provisional' && (index === 0 || index > after))
}
