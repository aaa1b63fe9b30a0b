import type { SessionError } from '../../../../generated/types.ts'
import { ServiceError } from '../../../kernel/errors.ts'
import type { Transaction } from '../../../store/database.ts'
import { findTurn, updateTurn, type TurnRow } from '../../../store/session_turns.ts'
import { findAgent, findOwnAgent, type Agent } from '../agent.ts'
import { actorOfAgent } from '../agent_actor.ts'
import { recordUsage, requireRunnable } from '../credits.ts'
import { pauseByTurn } from '../pauses.ts'
import type { RunOutput } from '../runtime.ts'
import { actorOfUser } from '../../people/index.ts'
import type { Attempt, WriteScope } from '../../shared/index.ts'
import type { TurnDeps } from './turn_deps.ts'
import { usageOf } from './usage.ts'
import { SessionWriter } from './writer.ts'

/** A run of a turn: the work of one job, which another process may take over. */
export interface RunKey {
  readonly workspaceId: string
  readonly sessionId: string
  readonly turn: number
  readonly run: number
}

/** A committed step of a run. */
export interface TurnStep {
  readonly writer: SessionWriter
  readonly turn: TurnRow
  /** The scope of the sender of the message, with their current rights. */
  readonly scope: WriteScope
  readonly agent: Agent
}

/** The run has ended, here or elsewhere, and may not write any more. */
export class RunOver extends Error {
  override readonly name = 'RunOver'
}

type Tokens = Pick<Extract<RunOutput, { type: 'usage' }>, 'inputTokens' | 'outputTokens'>
const NO_TOKENS: Tokens = { inputTokens: 0, outputTokens: 0 }

/** The change to commit: a step of the run, the end of the run, or the completion of the turn; a question changes nothing. */
type Kind = 'question' | 'step' | 'end' | 'completion'

/** Commits the steps of a run, each only if the run is still the current one. */
export class TurnSteps {
  readonly #deps: TurnDeps
  readonly #attempt: Attempt
  readonly #key: RunKey
  #unrecorded: Tokens = NO_TOKENS

  constructor(deps: TurnDeps, attempt: Attempt, key: RunKey) {
    this.#deps = deps
    this.#attempt = attempt
    this.#key = key
  }

  /**
   * Commits a step after checking that the turn continues, that the person who sent the message may still run the agent, and that there are
   * credits left. Otherwise the turn ends with the reason.
   * @throws RunOver if the step was not committed
   */
  async commit(work: (step: TurnStep) => Promise<void> | void): Promise<void> {
    await this.#inTurn('step', async (db, writer, turn) => {
      const allowed = await this.#allow(db, writer, turn)
      if (!allowed) return false
      await work({ writer, turn, ...allowed })
      return true
    })
  }

  /** Performs the checks of `commit` without a change. @returns the current scope and agent */
  async allowed(): Promise<TurnStep> {
    const allowed = Promise.withResolvers<TurnStep>()
    await this.#inTurn('question', async (db, writer, turn) => {
      const found = await this.#allow(db, writer, turn)
      if (found) allowed.resolve({ writer, turn, ...found })
      return found !== undefined
    })
    return allowed.promise
  }

  /**
   * Ends the run with `work`, without checking permissions: what it records has already happened.
   * @param completed whether the turn is completed, which counts as a run of the agent
   */
  async end(
    work: (db: Transaction, writer: SessionWriter, turn: TurnRow) => Promise<void> | void,
    completed = false,
  ): Promise<void> {
    await this.#inTurn(completed ? 'completion' : 'end', async (db, writer, turn) => {
      await work(db, writer, turn)
      return true
    })
  }

  /** Ends the turn as failed. @throws RunOver if it had already ended */
  fail(error: SessionError): Promise<void> {
    return this.end((_db, writer, turn) => void writer.move('fail', { error, ...usageOf(turn) }))
  }

  /** Adds usage, which is recorded in the transaction of the step that caused it: a repeated run then repeats both or neither. */
  use({ inputTokens, outputTokens }: Tokens): void {
    const { inputTokens: input, outputTokens: output } = this.#unrecorded
    this.#unrecorded = { inputTokens: input + inputTokens, outputTokens: output + outputTokens }
  }

  /** Skips a step that was already committed, together with its usage. */
  repeat(): void {
    this.#unrecorded = NO_TOKENS
  }

  /** Records the usage of a step that was not committed because the turn was ended elsewhere. */
  async recordRest(): Promise<void> {
    if (this.#unrecorded === NO_TOKENS) return
    const { workspaceId, sessionId, turn: number, run } = this.#key
    await this.#attempt.whileHeld(async (db) => {
      const writer = await SessionWriter.hold(db, workspaceId, sessionId, this.#deps.now())
      if (!writer) return
      const turn = await findTurn(db, workspaceId, sessionId, number)
      const { session } = writer
      if (turn.run !== run || (session.status === 'in_progress' && session.turn === number)) return
      await this.#record(db, writer, turn)
      await writer.save()
    })
  }

  /** Adds to the usage of the turn. @returns the updated turn */
  async #record(db: Transaction, writer: SessionWriter, turn: TurnRow, completed = false): Promise<TurnRow> {
    if (this.#unrecorded === NO_TOKENS && !completed) return turn
    const { workspaceId, sessionId } = this.#key
    const { agent_id: agentId } = writer.session
    const { inputTokens, outputTokens } = this.#unrecorded
    const tokens = inputTokens + outputTokens
    const now = this.#deps.now()
    const credits = await recordUsage(db, { workspaceId, agentId, sessionId, turn: turn.turn, tokens, completed, now })
    const used: TurnRow = {
      ...turn,
      input_tokens: turn.input_tokens + inputTokens,
      output_tokens: turn.output_tokens + outputTokens,
      credits,
    }
    writer.change({ credits_used: rounded(writer.session.credits_used + credits - turn.credits) })
    await updateTurn(db, workspaceId, sessionId, used)
    return used
  }

  /** Runs `work` in a transaction in which the turn is locked. @param work may be repeated with its transaction */
  async #inTurn(kind: Kind, work: (db: Transaction, writer: SessionWriter, turn: TurnRow) => Promise<boolean>): Promise<void> {
    const { workspaceId, sessionId, turn: number, run } = this.#key
    let [isOurTurn, isDone] = [false, false]
    const inTransaction = async (db: Transaction): Promise<void> => {
      isDone = false
      const writer = await SessionWriter.hold(db, workspaceId, sessionId, this.#deps.now())
      isOurTurn = writer?.session.status === 'in_progress' && writer.session.turn === number
      if (!writer || !isOurTurn) return
      const stored = await findTurn(db, workspaceId, sessionId, number)
      isOurTurn = stored.run === run
      if (!isOurTurn) return
      const turn = kind === 'question' ? stored : await this.#record(db, writer, stored, kind === 'completion')
      isDone = await work(db, writer, turn)
      await writer.save()
    }
    const isEnd = kind === 'end' || kind === 'completion'
    const isOurs = isEnd ? await this.#attempt.finish(inTransaction) : await this.#attempt.whileHeld(inTransaction)
    this.#deps.feed.committed(sessionId)
    if (isOurs && isOurTurn && kind !== 'question') this.#unrecorded = NO_TOKENS
    if (!isOurs || !isDone) throw new RunOver('the turn has ended')
  }

  /** @returns undefined if the turn was ended instead */
  async #allow(
    db: Transaction,
    writer: SessionWriter,
    turn: TurnRow,
  ): Promise<{ readonly scope: WriteScope; readonly agent: Agent } | undefined> {
    const { now, scopeOf } = this.#deps
    const { workspaceId } = this.#key
    const byItself = turn.actor_id === null
    const actor = byItself
      ? await actorOfAgent(db, workspaceId, writer.session.agent_id)
      : await actorOfUser(db, workspaceId, turn.actor_id, now())
    if (!actor) return void writer.move('terminate', { error: ACCESS_REVOKED })
    const scope = scopeOf(actor, turn.version, db)
    try {
      const agent = await (byItself ? findOwnAgent : findAgent)(scope, writer.session.agent_id)
      await requireRunnable(scope, agent)
      return { scope, agent }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      await refuse(db, workspaceId, writer, turn, error)
      return undefined
    }
  }
}

const ACCESS_REVOKED: SessionError = {
  code: 'agent_error',
  message: 'The sender of the message no longer has access to the agent.',
  retryable: false,
}

/** Ends a turn that may not continue. @throws every error for which a turn does not end */
async function refuse(
  db: Transaction,
  workspaceId: string,
  writer: SessionWriter,
  turn: TurnRow,
  error: ServiceError,
): Promise<void> {
  const { code, message } = error
  const { agent_id: agentId } = writer.session
  switch (code) {
    case 'workspace_credits_exhausted':
    case 'agent_credit_limit_reached': {
      const reason = code === 'agent_credit_limit_reached' ? 'credit_limit' : 'workspace_credit_limit'
      await pauseByTurn(db, { workspaceId, agentId, reason, now: writer.now })
      writer.move('fail', { error: { code, message, retryable: false }, ...usageOf(turn) })
      return
    }
    case 'agent_deleted':
      writer.move('terminate', { error: { code, message, retryable: false } })
      return
    case 'object_not_found':
      writer.move('terminate', { error: ACCESS_REVOKED })
      return
    case 'restricted_resource':
      writer.move('terminate', { error: { code: 'agent_disabled', message, retryable: false } })
      return
    case 'invalid_beta':
    case 'invalid_credit_limit':
    case 'invalid_json':
    case 'invalid_request':
    case 'invalid_request_url':
    case 'missing_version':
    case 'validation_error':
    case 'unauthorized':
    case 'status_change_not_allowed':
    case 'directory_not_found':
    case 'row_limit_exceeded':
    case 'conflict_error':
    case 'idempotency_key_reused':
    case 'rate_limited':
    case 'internal_server_error':
    case 'service_unavailable':
    case 'gateway_timeout':
    case 'service_overload':
      throw error
  }
}

/** Credits are counted in hundredths. */
function rounded(credits: number): number {
  return Math.round(credits * 100) / 100
}
