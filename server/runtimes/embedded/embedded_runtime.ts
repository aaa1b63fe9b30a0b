import {
  isFindings,
  termsOf,
  type ProposalOutcome,
  type RunInput,
  type RunOutput,
  type Runtime,
  type ToolCall,
  type ToolResult,
  type Findings,
} from '../../domain/agents/index.ts'
import { inputTexts, UsageCount } from '../usage_count.ts'
import { composeReply } from './compose_reply.ts'
import { parseIntent, type Intent } from './parse_intent.ts'
import { outcomeText, refusalText } from './outcomes.ts'

const MODEL = 'embedded-extractive-1'
const SEARCH = 'search_workspace'

type Outputs<Result = void> = AsyncGenerator<RunOutput, Result, undefined>

/**
 * Replies to questions with passages from pages, and proposes an action if a message requests it in one of a few fixed phrases. It is
 * deterministic: the same content, message and rights give the same text.
 */
export const embeddedRuntime: Runtime = { models: [MODEL], run }

async function* run(input: RunInput): Outputs {
  const usage = new UsageCount()
  const decided = input.settled.filter(({ decision }) => decision !== undefined)
  if (decided.length > 0) {
    // The run that made the proposal has already counted the message.
    usage.addInput(...decided.map(({ result }) => JSON.stringify(result.content)))
    yield* say(usage, decided.map(outcomeText).join('\n'))
  } else {
    usage.addInput(...inputTexts(input))
    const intent = parseIntent(input.message.text)
    yield* intent.kind === 'question' ? replyToQuestion(input, usage) : propose(input, intent, usage)
  }
  yield usage.total
}

/** Streams a text line by line, then yields the whole text. */
function* say(usage: UsageCount, text: string): Generator<RunOutput, void, undefined> {
  const lines = text.split('\n')
  for (let end = 1; end <= lines.length; end += 1) yield { type: 'partial', text: lines.slice(0, end).join('\n') }
  usage.addOutput(text)
  yield { type: 'message', text }
}

async function* replyToQuestion(input: RunInput, usage: UsageCount): Outputs {
  const { message } = input
  const original = termsOf(message.text)
  // The subject of a trigger is used for the search, but not repeated in the reply.
  const terms = [...new Set([...original, ...termsOf(message.subject ?? '')])].slice(0, TERMS_MAX)
  if (terms.length === 0) return yield* say(usage, 'What would you like to know? Ask about something that a page may mention.')
  yield* think(original, usage)
  const findings = yield* search(input.tools, terms, usage)
  yield* say(usage, composeReply({ original, terms }, findings, message))
}

/** The maximum number of terms of one search. */
const TERMS_MAX = 32

function* think(terms: readonly string[], usage: UsageCount): Generator<RunOutput, void, undefined> {
  if (terms.length === 0) return
  const text = `Terms: ${terms.join(', ')}`
  usage.addOutput(text)
  yield { type: 'thinking', text }
}

/** @returns undefined if the agent may not search */
async function* search(tools: RunInput['tools'], terms: string[], usage: UsageCount): Outputs<Findings | undefined> {
  if (!tools.some(({ name }) => name === SEARCH)) return undefined
  let result: ToolResult | undefined
  const settle = (found: ToolResult): void => void (result = found)
  // A restarted run makes the same call with the same id.
  yield { type: 'read', call: { callId: 'search', tool: SEARCH, arguments: { terms } }, settle }
  const content: unknown = result?.content
  usage.addInput(JSON.stringify(content ?? null))
  return isFindings(content) ? content : undefined
}

async function* propose(input: RunInput, intent: Exclude<Intent, { kind: 'question' }>, usage: UsageCount): Outputs {
  if (!input.tools.some(({ name }) => name === intent.kind)) return yield* say(usage, 'I may not do that here.')
  const call = callFor(intent, input.defaultParent?.id)
  if (call === undefined) return yield* say(usage, 'Under which page? Name it: create page "Title" in "Page".')
  let outcome: ProposalOutcome | undefined
  yield { type: 'propose', call, settle: (settled) => void (outcome = settled) }
  if (outcome === undefined) throw new Error('the host did not settle a proposal')
  yield* say(usage, proposalText(outcome))
}

function proposalText(outcome: ProposalOutcome): string {
  return 'refusal' in outcome ? refusalText(outcome.refusal) : `I would do this once you approve: ${outcome.title}.`
}

/** @returns undefined if there is no parent for a new page */
function callFor(intent: Exclude<Intent, { kind: 'question' }>, defaultParent: string | undefined): ToolCall | undefined {
  const { kind: tool, text } = intent
  if (tool !== 'create_page') return { callId: 'proposal', tool, arguments: { page: intent.page, text } }
  const parent = intent.parent ?? defaultParent
  if (parent === undefined) return undefined
  return { callId: 'proposal', tool, arguments: { title: intent.title, parent, ...(text === undefined ? {} : { text }) } }
}
