import type {
  ProposalOutcome,
  RunInput,
  RunOutput,
  Runtime,
  ToolResult,
  Runtimes,
} from '@workspace-service/server/domain/agents/index.ts'
import { play } from './play.ts'
import type { AgentTurn, ScriptedTurn, TakenStep } from './script.ts'

/** An agent of a workspace. The personal agent has the same id in all workspaces. */
export interface AgentKey {
  readonly workspaceId: string
  readonly agentId: string
}

export interface ScriptState {
  /** By agent: the next turns. */
  readonly waiting: ReadonlyMap<string, readonly ScriptedTurn[]>
  /** By session and turn: the started scripts, which continue after decisions. */
  readonly begun: ReadonlyMap<string, ScriptedTurn | undefined>
  readonly turns: readonly RecordedTurn[]
}

const TURNS_MAX = 1_000

/** Scripts turns of agents, and records the turns of all agents. */
export class AgentScripts {
  #waiting = new Map<string, readonly ScriptedTurn[]>()
  #begun = new Map<string, ScriptedTurn | undefined>()
  #turns: RecordedTurn[] = []
  readonly #tokensLeft: (agent: AgentKey) => Promise<number | undefined>

  /** @param tokensLeft returns how many tokens an agent may still use; undefined without a limit */
  constructor(tokensLeft: (agent: AgentKey) => Promise<number | undefined>) {
    this.#tokensLeft = tokensLeft
  }

  add(agent: AgentKey, turns: readonly ScriptedTurn[]): void {
    this.#waiting.set(keyOf(agent), [...this.waiting(agent), ...turns])
  }

  /** The remaining scripted turns. */
  waiting(agent: AgentKey): readonly ScriptedTurn[] {
    return this.#waiting.get(keyOf(agent)) ?? []
  }

  /** The last thousand turns that have begun, oldest first. */
  get turns(): readonly AgentTurn[] {
    return this.#turns.map((turn) => turn.shown)
  }

  get state(): ScriptState {
    return { waiting: new Map(this.#waiting), begun: new Map(this.#begun), turns: this.#turns.map((turn) => turn.copy()) }
  }

  restore({ waiting, begun, turns }: ScriptState): void {
    this.#waiting = new Map(waiting)
    this.#begun = new Map(begun)
    this.#turns = turns.map((turn) => turn.copy())
  }

  /** Runtimes that play scripts; turns without one go to the configured runtime. */
  over(runtimes: Runtimes): Runtimes {
    return {
      for: (model) => {
        const runtime = runtimes.for(model)
        return runtime && { models: runtime.models, run: (input, signal) => this.#run(runtime, input, signal) }
      },
    }
  }

  async *#run(runtime: Runtime, input: RunInput, signal: AbortSignal): AsyncGenerator<RunOutput, void, undefined> {
    const script = this.#scriptOf(input)
    const turn = this.#recordOf(input)
    const tokensLeft = async (): Promise<number | undefined> => {
      const left = await this.#tokensLeft(input)
      if (left !== undefined) turn.reachLimit()
      return left
    }
    const outputs = script ? play(script.steps, input, tokensLeft) : runtime.run(input, signal)
    for await (const output of outputs) yield turn.noting(output)
  }

  /** The script of a turn, which its first run takes. */
  #scriptOf(input: RunInput): ScriptedTurn | undefined {
    const key = `${input.sessionId} ${input.turn}`
    if (this.#begun.has(key)) return this.#begun.get(key)
    const [next, ...rest] = this.waiting(input)
    this.#waiting.set(keyOf(input), rest)
    this.#begun.set(key, next)
    return next
  }

  #recordOf(input: RunInput): RecordedTurn {
    const known = this.#turns.find(({ input: { sessionId, turn } }) => sessionId === input.sessionId && turn === input.turn)
    const record = known ?? new RecordedTurn(input)
    if (!known) this.#turns = [...this.#turns, record].slice(-TURNS_MAX)
    record.begin(input)
    return record
  }
}

function keyOf({ workspaceId, agentId }: AgentKey): string {
  return `${workspaceId} ${agentId}`
}

interface NotedStep {
  readonly callId: string | undefined
  readonly step: TakenStep
}

class RecordedTurn {
  readonly input: RunInput
  #steps: readonly NotedStep[]

  constructor(input: RunInput, steps: readonly NotedStep[] = []) {
    this.input = input
    this.#steps = steps
  }

  copy(): RecordedTurn {
    return new RecordedTurn(this.input, this.#steps)
  }

  get shown(): AgentTurn {
    const { agentId, sessionId, turn, message, tools } = this.input
    const steps = this.#steps.map(({ step }) => step)
    return { agentId, sessionId, turn, message: message.text, tools: tools.map(({ name }) => name), steps }
  }

  /** Called when a run begins: the first run of a turn, again after a failure, or after decisions. */
  begin({ settled }: RunInput): void {
    const decided = settled.filter(({ decision }) => decision !== undefined)
    if (decided.length === 0) this.#steps = []
    for (const { callId, decision = null, result } of decided) this.#settle(callId, { decision, ...outcomeOf(result) })
  }

  /** Passes the output on, and records it as a step once its outcome is known. */
  noting(output: RunOutput): RunOutput {
    switch (output.type) {
      case 'message':
        this.#add({ type: 'text', text: output.text })
        return output
      case 'failed':
        this.#add({ type: 'error', code: output.code, message: output.message })
        return output
      case 'read': {
        const { callId, tool, arguments: given } = output.call
        this.#add({ type: 'tool_call', tool, arguments: given, isError: false, result: null }, callId)
        const settle = (result: ToolResult): void => {
          this.#settle(callId, outcomeOf(result))
          output.settle(result)
        }
        return { ...output, settle }
      }
      case 'propose': {
        const { callId, tool, arguments: given } = output.call
        this.#add({ type: 'approval', tool, arguments: given, decision: null, isError: false, result: null }, callId)
        return {
          ...output,
          settle: (outcome: ProposalOutcome) => {
            if ('refusal' in outcome) this.#settle(callId, outcomeOf(outcome.refusal))
            output.settle(outcome)
          },
        }
      }
      case 'usage':
      case 'thinking':
      case 'partial':
        return output
    }
  }

  reachLimit(): void {
    this.#add({ type: 'credit_limit' })
  }

  #add(step: TakenStep, callId?: string): void {
    this.#steps = [...this.#steps, { callId, step }]
  }

  #settle(callId: string, outcome: object): void {
    this.#steps = this.#steps.map((one) =>
      one.callId === callId ? { callId, step: { ...one.step, ...outcome } as TakenStep } : one,
    )
  }
}

function outcomeOf({ isError, content }: ToolResult): { readonly isError: boolean; readonly result: unknown } {
  return { isError, result: content }
}
