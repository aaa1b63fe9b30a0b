import type { ProvisionalEvent, SessionArtifact } from '../../../../generated/types.ts'
import { toTimestamp } from '../../../kernel/clock.ts'
import { ServiceError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { findEvent, type EventRow } from '../../../store/session_events.ts'
import { insertCalls, updateCall, updateTurn, type CallRow } from '../../../store/session_turns.ts'
import type { RunOutput, ToolCall, ToolResult } from '../runtime.ts'
import { actorOfMember, actorOfUser, unauthorized } from '../../people/index.ts'
import { enqueue } from '../../shared/index.ts'
import { limitJob } from './jobs.ts'
import { botOf, chainOf } from './agent_side.ts'
import { presentAction } from './present.ts'
import { Throttle } from './throttle.ts'
import { textOf } from './run_input.ts'
import type { TurnDeps } from './turn_deps.ts'
import { RunOver, type RunKey, type TurnStep, type TurnSteps } from './turn_step.ts'
import { usageOf } from './usage.ts'
import { readJson, readNullableJson } from '../../../store/stored/read_json.ts'

const REJECTED: ToolResult = { isError: false, content: 'rejected by the user' }

/** Errors that refuse only the call of a tool. Others end the run. */
const REFUSALS: ReadonlySet<string> = new Set([
  'validation_error',
  'object_not_found',
  'restricted_resource',
  'unauthorized',
  'row_limit_exceeded',
])

type Output<Type extends RunOutput['type']> = Extract<RunOutput, { type: Type }>

interface RunState {
  readonly calls: CallRow[]
  /** Texts that a previous attempt of this run has committed, in order. */
  readonly committed: EventRow[]
  readonly model: string
}

/** Executes the outputs of a runtime, each in its own transaction. */
export class TurnRun {
  readonly #deps: TurnDeps
  readonly #key: RunKey
  readonly #steps: TurnSteps
  readonly #state: RunState
  readonly #throttle: Throttle
  readonly #proposals: { readonly title: string; readonly call: ToolCall }[] = []
  /** The id of the next message. */
  #messageId = newId()

  constructor(deps: TurnDeps, key: RunKey, steps: TurnSteps, state: RunState) {
    this.#deps = deps
    this.#key = key
    this.#steps = steps
    this.#state = state
    this.#throttle = new Throttle((event) => deps.feed.provisional(event))
  }

  /** Completes the calls on which a person has decided. Approved calls are executed with the rights of the person who approved them. */
  async settleDecided(): Promise<void> {
    for (const [index, call] of this.#state.calls.entries()) {
      if (call.decision === null || call.result !== null) continue
      const result = call.decision === 'reject' ? await this.#keepRejection(call) : await this.#executeApproved(call)
      this.#state.calls[index] = withResult(call, result)
    }
  }

  async take(output: RunOutput): Promise<void> {
    switch (output.type) {
      case 'thinking':
        return this.#think(output.text)
      case 'partial':
        return this.#showPartial(output.text)
      case 'message':
        return this.#say(output.text)
      case 'read':
        return output.settle(await this.#read(output.call))
      case 'propose':
        return this.#collect(output)
      case 'usage':
        return this.#steps.use(output)
      case 'failed': {
        const { code, message, retryable } = output
        await this.#steps.fail({ code, message, retryable })
        throw new RunOver('the runtime has failed')
      }
    }
  }

  /** Ends the run, because the runtime has no further output. */
  async end(): Promise<void> {
    this.#throttle.stop()
    if (this.#proposals.length > 0) await this.#propose()
    else await this.#complete()
  }

  stop(): void {
    this.#throttle.stop()
  }

  async #think(text: string): Promise<void> {
    if (this.#isRepeated('agent.thinking', text)) return
    await this.#steps.commit(({ writer }) => void writer.add({ type: 'agent.thinking', content: { text } }))
  }

  async #say(text: string): Promise<void> {
    this.#throttle.drop()
    const id = this.#messageId
    this.#messageId = newId()
    if (this.#isRepeated('agent.message', text)) return
    const { model } = this.#state
    await this.#steps.commit(
      ({ writer }) => void writer.add({ type: 'agent.message', content: { text, author: botOf(writer.session), model } }, id),
    )
  }

  /** Whether an output is the next one that an earlier attempt has already committed. */
  #isRepeated(type: EventRow['type'], text: string): boolean {
    const [next] = this.#state.committed
    if (next?.type !== type || textOf(next) !== text) return false
    this.#state.committed.shift()
    this.#steps.repeat()
    return true
  }

  #showPartial(text: string): void {
    this.#throttle.add({ ...this.#provisional(this.#messageId), type: 'agent.message', content: [{ type: 'text', text }] })
  }

  #provisional(id: string): Pick<ProvisionalEvent, 'object' | 'id' | 'session_id' | 'created_at'> {
    return { object: 'session_event', id, session_id: this.#key.sessionId, created_at: toTimestamp(this.#deps.now()) }
  }

  async #read(call: ToolCall): Promise<ToolResult> {
    const known = this.#state.calls.find(({ call_id: id }) => id === call.callId)
    if (known) this.#steps.repeat()
    if (known && known.result !== null) return readJson('session_calls.result', known.id, known.result) as ToolResult
    const row = known ?? this.#newCall(call, 'read', null, newId())
    const begun = Promise.withResolvers<TurnStep>()
    await this.#steps.commit(async (step) => {
      if (!known) await insertCalls(step.scope.db, this.#key.workspaceId, this.#key.sessionId, [row])
      await this.#addUse(step, row)
      begun.resolve(step)
    })
    const { scope, agent } = await begun.promise
    const { database, tools } = this.#deps
    const result = await database.read((db) => tools.execute({ ...scope, db }, agent, call)).catch(resultOfFailure)
    await this.#steps.commit((step) => this.#keepResult(step, row, result))
    this.#state.calls.splice(row.position, 1, withResult(row, result))
    return result
  }

  #newCall(call: ToolCall, kind: CallRow['kind'], title: string | null, id: string): CallRow {
    return {
      turn: this.#key.turn,
      position: this.#state.calls.length,
      id,
      call_id: call.callId,
      tool: call.tool,
      kind,
      arguments: JSON.stringify(call.arguments),
      title,
      run: this.#key.run,
      decision: null,
      decider_id: null,
      is_signed_in: 0,
      metadata: null,
      result: null,
      is_error: null,
      artifact: null,
    }
  }

  /** Records the use of a tool, once. */
  async #addUse({ writer, scope }: TurnStep, { id, tool }: CallRow): Promise<void> {
    const { workspaceId, sessionId } = this.#key
    if (await findEvent(scope.db, workspaceId, sessionId, `${id}:use`)) return
    this.#deps.feed.provisional({ ...this.#provisional(`${id}:use`), type: 'agent.tool_use', tool_name: tool })
    writer.add({ type: 'agent.tool_use', content: { tool } }, `${id}:use`)
  }

  async #keepResult({ writer, scope }: TurnStep, call: CallRow, result: ToolResult): Promise<void> {
    const { id: useId, tool } = call
    writer.add({ type: 'agent.tool_result', content: { useId, tool, isError: result.isError } }, `${useId}:result`)
    await updateCall(scope.db, this.#key.workspaceId, this.#key.sessionId, withResult(call, result))
  }

  /** Executes a call and stores its result in one transaction, so that it happens exactly once. */
  async #executeApproved(call: CallRow): Promise<ToolResult> {
    const asked: ToolCall = {
      callId: call.call_id,
      tool: call.tool,
      arguments: readJson('session_calls.arguments', call.id, call.arguments) as ToolCall['arguments'],
    }
    let result: ToolResult | undefined
    try {
      await this.#steps.commit(async (step) => {
        const scope = await this.#scopeOfDecider(step, call)
        await this.#addUse(step, call)
        result = await this.#deps.tools.executeApproved(scope, step.agent, asked)
        await this.#keepResult(step, call, result)
      })
    } catch (error) {
      const refused = resultOfFailure(error)
      await this.#steps.commit(async (step) => {
        await this.#addUse(step, call)
        await this.#keepResult(step, call, refused)
      })
      return refused
    }
    if (!result) throw new RunOver('the turn has ended')
    return result
  }

  /** The scope of the person who approved a call, with their current rights. @throws ServiceError `unauthorized` if there are none */
  async #scopeOfDecider({ scope, turn, writer }: TurnStep, call: CallRow): Promise<TurnStep['scope']> {
    const { scopeOf, now } = this.#deps
    const { decider_id: id, is_signed_in: isSignedIn } = call
    const find = isSignedIn === 1 ? actorOfMember : actorOfUser
    const actor = id === null ? undefined : await find(scope.db, this.#key.workspaceId, id, now())
    if (!actor) throw unauthorized()
    return { ...scopeOf(actor, turn.version, scope.db), causedBy: chainOf(writer.session) }
  }

  async #keepRejection(call: CallRow): Promise<ToolResult> {
    await this.#steps.commit(({ scope }) =>
      updateCall(scope.db, this.#key.workspaceId, this.#key.sessionId, withResult(call, REJECTED)),
    )
    return REJECTED
  }

  async #collect({ call, settle }: Output<'propose'>): Promise<void> {
    const { scope, agent } = await this.#steps.allowed()
    const outcome = await this.#deps.database.read((db) => this.#deps.tools.proposalOf({ ...scope, db }, agent, call))
    if ('title' in outcome) this.#proposals.push(outcome)
    settle('title' in outcome ? { title: outcome.title } : outcome)
  }

  async #propose(): Promise<void> {
    const rows = this.#proposals.map(({ call, title }, index) => {
      const row = this.#newCall(call, 'write', title, newId())
      return { ...row, position: row.position + index }
    })
    const { workspaceId, sessionId, turn: number, run } = this.#key
    await this.#steps.end(async (db, writer, turn) => {
      const now = this.#deps.now()
      await insertCalls(db, workspaceId, sessionId, rows)
      writer.move('propose', { required_actions: rows.map(presentAction) })
      const worked_time = turn.worked_time + now - (turn.run_time ?? now)
      await updateTurn(db, workspaceId, sessionId, { ...turn, worked_time, run_time: null })
      await enqueue(db, limitJob(workspaceId, sessionId, { limit: 'action', turn: number, run }, now))
    })
  }

  async #complete(): Promise<void> {
    const artifacts = this.#state.calls.flatMap(({ id, artifact }) => {
      const made = readNullableJson('session_calls.artifact', id, artifact) as SessionArtifact | null
      return made === null ? [] : [made]
    })
    const details = artifacts.length > 0 ? { artifacts } : {}
    await this.#steps.end((_db, writer, turn) => void writer.move('complete', { ...usageOf(turn), ...details }), true)
  }
}

function withResult(call: CallRow, result: ToolResult): CallRow {
  return {
    ...call,
    result: JSON.stringify(result),
    is_error: result.isError ? 1 : 0,
    artifact: result.artifact === undefined ? null : JSON.stringify(result.artifact),
  }
}

/** The result of a refused call for the runtime. @throws errors caused by the service */
function resultOfFailure(error: unknown): ToolResult {
  if (!(error instanceof ServiceError) || !REFUSALS.has(error.code)) throw error
  return { isError: true, content: error.message }
}
