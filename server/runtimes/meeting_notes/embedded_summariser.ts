import type { Conversation, Summariser } from '../../domain/meeting_notes/media.ts'
import { isTermIn, splitWords } from '../../domain/words/terms.ts'
import { yieldToEventLoop } from '../../kernel/yield_to_event_loop.ts'
import { estimateTokens } from '../estimate_tokens.ts'
import { conversationText } from './conversation_text.ts'

const KEY_POINTS_MAX = 7
const SENTENCES_PER_KEY_POINT = 8
const ACTION_ITEMS_MAX = 10
/** Characters of a sentence that are shown. */
const SHOWN_LENGTH_MAX = 2_000
const SENTENCES_AT_ONCE = 500
/** Words that promise something or ask for it. */
const ACTION = / (?:will|need to|action|todo|to do|please) /

/**
 * Summarises without a model: selects the sentences whose terms are most frequent in the whole conversation, and those that promise
 * something. The same conversation always gives the same summary.
 */
export const embeddedSummariser: Summariser = {
  async summarise(conversation) {
    const sentences = await sentencesIn(conversation)
    const keyPoints = await topSentences(sentences, conversation.language ?? 'auto')
    const actionItems = sentences.filter(({ words }) => ACTION.test(` ${words.join(' ')} `)).slice(0, ACTION_ITEMS_MAX)
    const [points, items] = [keyPoints.map(shown), actionItems.map(shown)]
    return {
      keyPoints: points,
      actionItems: items,
      tokens: estimateTokens(conversationText(conversation)) + estimateTokens([...points, ...items].join('\n')),
    }
  },
}

interface Sentence {
  readonly text: string
  readonly words: readonly string[]
}

/** The end of a sentence: punctuation before white space, or punctuation that needs none. */
const END = /(?<![.!?…])[.!?…]+["'”’)\]]*(?=\s)|[。！？]+["'”’）」』]*/gu

/** The sentences in order. A new segment begins a new sentence; text without words is skipped. */
async function sentencesIn({ segments }: Conversation): Promise<readonly Sentence[]> {
  const sentences: Sentence[] = []
  for (const [index, { text }] of segments.entries()) {
    for (const part of split(text)) {
      const words = splitWords(part)
      if (words.length > 0) sentences.push({ text: part, words })
    }
    if (index % SENTENCES_AT_ONCE === SENTENCES_AT_ONCE - 1) await yieldToEventLoop()
  }
  return sentences
}

function* split(text: string): Generator<string, void, undefined> {
  let start = 0
  for (const match of text.matchAll(END)) {
    const end = match.index + match[0].length
    yield text.slice(start, end).trim()
    start = end
  }
  yield text.slice(start).trim()
}

async function topSentences(sentences: readonly Sentence[], language: string): Promise<readonly Sentence[]> {
  if (sentences.length === 0) return []
  const isTerm = isTermIn(language, allWords(sentences))
  const weights = new Map<string, number>()
  for (const word of allWords(sentences)) if (isTerm(word)) weights.set(word, (weights.get(word) ?? 0) + 1)
  await yieldToEventLoop()
  const scored = sentences.map((sentence, place) => ({ sentence, place, score: scoreOf(sentence, weights) }))
  const count = Math.min(KEY_POINTS_MAX, Math.max(1, Math.ceil(sentences.length / SENTENCES_PER_KEY_POINT)))
  return scored
    .sort((one, other) => other.score - one.score || one.place - other.place)
    .slice(0, count)
    .sort((one, other) => one.place - other.place)
    .map(({ sentence }) => sentence)
}

function* allWords(sentences: readonly Sentence[]): Generator<string, void, undefined> {
  for (const { words } of sentences) yield* words
}

function scoreOf({ words }: Sentence, weights: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const word of new Set(words)) sum += weights.get(word) ?? 0
  return sum / Math.sqrt(words.length)
}

function shown({ text }: Sentence): string {
  return text.length <= SHOWN_LENGTH_MAX ? text : `${text.slice(0, SHOWN_LENGTH_MAX - 1).toWellFormed()}…`
}
