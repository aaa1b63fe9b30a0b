import { expect } from 'vitest'
import { REFUSALS } from '../../harness/kills.ts'
import type { RunningProcess } from '../../harness/process.ts'
import { openStream, type SessionStream } from '../../harness/sessions.ts'
import type { JsonObject } from '../../harness/json.ts'
import { until } from '../../harness/process.ts'

/** Requests to an agent: a question, or a write that needs a decision. */
export const orderKinds = ['create_page', 'append_blocks', 'add_comment', 'question'] as const
export type OrderKind = (typeof orderKinds)[number]

export interface Order {
  readonly kind: OrderKind
  readonly decision: 'approve' | 'reject'
  /** Part of the message and of its effects. */
  readonly mark: string
  readonly page: string
}

/** Finds a live process for a client; there may be none for a while. */
export interface Deployment {
  readonly agent: string
  anyProcess(): RunningProcess | undefined
  /** Called for each frame. */
  onFrame(): void
}

export function messageFor({ kind, mark, page }: Order): string {
  switch (kind) {
    case 'create_page':
      return `create page "${mark}" in "${page}" with "text"`
    case 'append_blocks':
      return `append "${mark}" to "${page}"`
    case 'add_comment':
      return `comment "${mark}" on "${page}"`
    case 'question':
      return `Who knows ${mark}?`
  }
}

/** A client that starts a session, follows it through crashes of the service, and decides on proposals. */
export class SessionClient {
  readonly order: Order
  readonly #deployment: Deployment
  /** Committed events in order of arrival, over all streams. */
  readonly events: JsonObject[] = []
  /** Undefined without a response to the first request: then it is unknown whether the session exists. */
  id: string | undefined
  streams = 0

  constructor(deployment: Deployment, order: Order) {
    this.#deployment = deployment
    this.order = order
  }

  /** Runs until the session has stopped for good. */
  async begin(): Promise<void> {
    const first = await this.#stream({ agent_id: this.#deployment.agent, message: messageFor(this.order) })
    await this.#read(first)
    if (this.id !== undefined) await this.follow()
  }

  async follow(): Promise<void> {
    for (;;) {
      const last = this.events.at(-1)
      const stream = await this.#stream({ session_id: this.id ?? '', continue_from: String(last?.['id'] ?? 0) })
      const status = await this.#read(stream)
      if (status === undefined) continue
      if (status !== 'requires_action') return
      await this.#decide()
    }
  }

  /** @returns undefined if the process was killed before it responded, or was overloaded */
  async #stream(body: JsonObject): Promise<SessionStream | undefined> {
    const { url } = await until(() => this.#deployment.anyProcess())
    this.streams += 1
    return openStream(url, body).catch(ignoreBroken)
  }

  /** @returns the status at the end of the stream; undefined if it broke */
  async #read(stream: SessionStream | undefined): Promise<string | undefined> {
    if (!stream) return undefined
    stream.onFrame = () => this.#deployment.onFrame()
    await stream.ended
    const [first] = stream.frames
    if (first?.type === 'session.snapshot') this.id ??= first.session.id
    this.events.push(...stream.committed)
    const last = stream.frames.at(-1)
    return last?.type === 'stream.end' ? last.status : undefined
  }

  /** Repeats the decision if no response came; it may have been accepted. */
  async #decide(): Promise<void> {
    const [action] = (this.events.at(-1)?.['required_actions'] ?? []) as { action_id: string }[]
    const actions = [{ action_id: action?.action_id ?? '', option_id: this.order.decision }]
    const { owner } = await until(() => this.#deployment.anyProcess())
    const response = await owner.call('createSession', { body: { session_id: this.id ?? '', actions } }).catch(ignoreBroken)
    if (response) expect([200, 409, ...REFUSALS], response.text).toContain(response.status)
  }
}

/** @throws the error if it is an unexpected response, or reports an invalid one */
function ignoreBroken(error: unknown): undefined {
  if (!(error instanceof Error)) throw error
  const isRefused = REFUSALS.some((status) => error.message.startsWith(`{"object":"error","status":${status},`))
  if (!isRefused && !('code' in error)) throw error
}
