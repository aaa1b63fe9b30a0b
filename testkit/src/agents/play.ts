import type { ProposalOutcome, RunInput, RunOutput, ToolCall } from '@workspace-service/server/domain/agents/index.ts'
import type { ScriptStep } from './script.ts'

const PARTS_MAX = 8

/**
 * Plays a scripted turn: from its beginning, or after the approvals that a person has decided on.
 * @param tokensLeft returns how many tokens the agent may still use; undefined without a limit
 */
export async function* play(
  steps: readonly ScriptStep[],
  { settled }: Pick<RunInput, 'settled'>,
  tokensLeft: () => Promise<number | undefined>,
): AsyncGenerator<RunOutput, void, undefined> {
  let isWaiting = false
  for (let index = afterDecided(steps, settled); index < steps.length; index += 1) {
    const step = steps[index] as ScriptStep
    // Steps after an approval need its decision, so the turn waits here; further approvals are proposed together.
    if (isWaiting && step.type !== 'approval') return
    switch (step.type) {
      case 'text':
        yield* partsOf(step.text)
        yield { type: 'message', text: step.text }
        break
      case 'tool_call':
        yield { type: 'read', call: callOf(step, index), settle: () => undefined }
        break
      case 'approval': {
        const settle = (outcome: ProposalOutcome): void => void (isWaiting ||= 'title' in outcome)
        yield { type: 'propose', call: callOf(step, index), settle }
        break
      }
      case 'error': {
        const { code = 'agent_error', message = 'The agent could not finish this turn.', retryable = false } = step
        return yield { type: 'failed', code, message, retryable }
      }
      case 'credit_limit':
        return yield* spend(await tokensLeft())
    }
  }
}

function afterDecided(steps: readonly ScriptStep[], settled: RunInput['settled']): number {
  const decided = settled.flatMap(({ callId, decision }) => (decision === undefined ? [] : [Number(callId)]))
  if (decided.length === 0) return 0
  const next = steps.findIndex(({ type }, index) => index > Math.max(...decided) && type !== 'approval')
  return next === -1 ? steps.length : next
}

/** The id of a call is the number of its step. */
function callOf({ tool, arguments: given = {} }: Extract<ScriptStep, { tool: string }>, index: number): ToolCall {
  return { callId: String(index), tool, arguments: given }
}

function* partsOf(text: string): Generator<RunOutput, void, undefined> {
  const words = text.split(/(?<=\s)/)
  const size = Math.ceil(words.length / PARTS_MAX)
  for (let end = size; end < words.length; end += size) yield { type: 'partial', text: words.slice(0, end).join('') }
}

function* spend(tokens: number | undefined): Generator<RunOutput, void, undefined> {
  if (tokens === undefined)
    return yield {
      type: 'failed',
      code: 'agent_error',
      message: 'This agent has no credit limit, so it cannot exceed one.',
      retryable: false,
    }
  yield { type: 'usage', inputTokens: 0, outputTokens: tokens }
  // Usage is recorded with the next step, which is then refused.
  yield { type: 'thinking', text: 'The credits are used up.' }
}
