import { expect } from 'vitest'
import { REFUSALS } from '../../harness/kills.ts'
import type { RunningProcess } from '../../harness/process.ts'
import { openStream, type SessionStream } from '../../harness/sessions.ts'
import type { JsonObject } from '../../harness/json.ts'
import { until } from '../../harness/process.ts'

/** What an agent may be asked for: a question, or a write that somebody decides on. */
export const wishes = ['create_page', 'append_blocks', 'add_comment', 'question'] as const
export type Wish = (typeof wishes)[number]

export interface Order {
  readonly wish: Wish
  readonly decision: 'approve' | 'reject'
  /** Stands in the message, and in whatever comes of it. */
  readonly mark: string
  readonly page: string
}

/** Where a client finds a process that lives; there may be none for a while. */
export interface Deployment {
  readonly agent: string
  anyProcess(): RunningProcess | undefined
  /** Told of each frame. */
  onFrame(): void
}

/** What a message says. */
export function messageFor({ wish, mark, page }: Order): string {
  switch (wish) {
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

/** A client that starts a session, follows it through whatever happens to the service, and decides on what is proposed. */
export class SessionClient {
  readonly order: Order
  readonly #deployment: Deployment
  /** Committed events as they came, over all streams. */
  readonly events: JsonObject[] = []
  /** Undefined where no answer to the first request has come: then the session may be there or not. */
  id: string | undefined
  streams = 0

  constructor(deployment: Deployment, order: Order) {
    this.#deployment = deployment
    this.order = order
  }

  /** Until the session has stopped for good. */
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

  /** @returns undefined where the process was killed before it answered, or had too much to do */
  async #stream(body: JsonObject): Promise<SessionStream | undefined> {
    const { url } = await until(() => this.#deployment.anyProcess())
    this.streams += 1
    return openStream(url, body).catch(ignoreBroken)
  }

  /** @returns the status at the end of the stream; undefined where it broke */
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

  /** The same decision again where no answer came; it may have been taken. */
  async #decide(): Promise<void> {
    const [action] = (this.events.at(-1)?.['required_actions'] ?? []) as { action_id: string }[]
    const actions = [{ action_id: action?.action_id ?? '', option_id: this.order.decision }]
    const { owner } = await until(() => this.#deployment.anyProcess())
    const answer = await owner.call('createSession', { body: { session_id: this.id ?? '', actions } }).catch(ignoreBroken)
    if (answer) expect([200, 409, ...REFUSALS], answer.text).toContain(answer.status)
  }
}

/** @throws the error where it is another answer, or says what is wrong with one */
function ignoreBroken(error: unknown): undefined {
  if (!(error instanceof Error)) throw error
  const isRefused = REFUSALS.some((status) => error.message.startsWith(`{"object":"error","status":${status},`))
  if (!isRefused && !('code' in error)) throw error
}
