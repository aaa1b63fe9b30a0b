import type { Conversation, Summarizer, Summary } from '../../domain/agents/index.ts'
import type { ModelEndpoint } from '../../kernel/addresses.ts'
import { askForJson } from '../model_endpoint/ask_for_json.ts'
import { conversationText } from './conversation_text.ts'
import { embeddedSummarizer } from './embedded_summarizer.ts'

const INSTRUCTIONS = `Summarize the transcript of a meeting in its own language. key_points are what was said and decided, most
important first, at most 10 sentences. action_items are what somebody promised or was asked to do, at most 20 sentences, each with
who does it where that was said.`
const POINTS_MAX = 10
const ITEMS_MAX = 20
/** The maximum length of a sentence in a summary, in characters. */
const SENTENCE_LENGTH_MAX = 2_000
/** The maximum length of a conversation that is sent to a model, in characters. Longer ones are never summarized in part. */
const INPUT_LENGTH_MAX = 400_000

const SCHEMA = {
  type: 'object',
  required: ['key_points', 'action_items'],
  properties: { key_points: listOf(POINTS_MAX), action_items: listOf(ITEMS_MAX) },
}

function listOf(maxItems: number): object {
  return { type: 'array', maxItems, items: { type: 'string', minLength: 1, maxLength: SENTENCE_LENGTH_MAX, pattern: '\\S' } }
}

interface WrittenSummary {
  readonly key_points: readonly string[]
  readonly action_items: readonly string[]
}

/** Summarizes by a model. If there is none, or it does not give a usable summary, the service summarizes itself. */
export function summarizerOf(endpoint: ModelEndpoint | undefined): Summarizer {
  if (endpoint === undefined) return embeddedSummarizer
  return {
    async summarize(conversation, signal) {
      return (await askModel(endpoint, conversation, signal)) ?? embeddedSummarizer.summarize(conversation, signal)
    },
  }
}

async function askModel(endpoint: ModelEndpoint, conversation: Conversation, signal: AbortSignal): Promise<Summary | undefined> {
  const transcript = conversationText(conversation, INPUT_LENGTH_MAX)
  if (transcript === undefined) return undefined
  const { language, title } = conversation
  const data = { title, ...(language === undefined ? {} : { language }), transcript }
  const completion = await askForJson<WrittenSummary>(endpoint, { instructions: INSTRUCTIONS, data, schema: SCHEMA }, signal)
  if (completion === undefined) return undefined
  const { value, usage } = completion
  return {
    keyPoints: value.key_points,
    actionItems: value.action_items,
    tokens: usage.inputTokens + usage.outputTokens,
  }
}
