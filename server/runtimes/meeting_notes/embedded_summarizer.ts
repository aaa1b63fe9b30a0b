import type { Conversation, Summarizer } from '../../domain/agents/index.ts'
import { isTermIn, splitWords, type WordCounts } from '../../domain/shared/index.ts'
import { yieldToEventLoop } from '../../kernel/yield_to_event_loop.ts'
import { estimateTokens, estimateTokensOf } from '../estimate_tokens.ts'
import { conversationLines } from './conversation_text.ts'

const KEY_POINTS_MAX = 7
const SENTENCES_PER_KEY_POINT = 8
const ACTION_ITEMS_MAX = 10
/** The maximum number of characters of a sentence that are read and shown. */
const SENTENCE_LENGTH_MAX = 2_000
/** The number of characters that are read before other requests can run. */
const LENGTH_AT_ONCE = 20_000
/** The maximum number of different words that are counted. In a conversation with more words, later ones are ignored. */
const WORDS_MAX = 100_000
/** Words that express or request a commitment. */
const ACTION = / (?:will|need to|action|todo|to do|please) /

/**
 * Summarizes without a model: selects the sentences whose terms are most frequent in the whole conversation, and those that express a
 * commitment. The same conversation always gives the same summary. The conversation is read twice, and only the selection is kept.
 */
export const embeddedSummarizer: Summarizer = {
  async summarize(conversation) {
    const { counts, sentences } = await countWords(conversation)
    const isTerm = isTermIn(conversation.language ?? 'auto', counts)
    const weights = new Map([...counts].filter(([word]) => isTerm(word)))
    const { keyPoints, actionItems } = await select(conversation, weights, keyPointsFor(sentences))
    return {
      keyPoints,
      actionItems,
      tokens: estimateTokensOf(conversationLines(conversation)) + estimateTokens([...keyPoints, ...actionItems].join('\n')),
    }
  },
}

function keyPointsFor(sentences: number): number {
  return Math.min(KEY_POINTS_MAX, Math.ceil(sentences / SENTENCES_PER_KEY_POINT))
}

interface Sentence {
  readonly text: string
  readonly words: readonly string[]
}

/** Matches the end of a sentence: punctuation before white space, or punctuation that does not need any after it. */
const END = /(?<![.!?…])[.!?…]+["'”’)\]]*(?=\s)|[。！？]+["'”’）」』]*/gu

/** The sentences in order, in portions. A new segment begins a new sentence; text without words is skipped. */
async function* sentencesIn({ segments }: Conversation): AsyncGenerator<readonly Sentence[], void, undefined> {
  let [portion, length]: [Sentence[], number] = [[], 0]
  for (const { text } of segments) {
    for (const part of split(text)) {
      const words = splitWords(part.slice(0, SENTENCE_LENGTH_MAX))
      if (words.length > 0) portion.push({ text: part, words })
      length += part.length
      if (length < LENGTH_AT_ONCE) continue
      yield portion
      ;[portion, length] = [[], 0]
      await yieldToEventLoop()
    }
  }
  yield portion
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

async function countWords(conversation: Conversation): Promise<{ readonly counts: WordCounts; readonly sentences: number }> {
  const counts = new Map<string, number>()
  let sentences = 0
  for await (const portion of sentencesIn(conversation)) {
    sentences += portion.length
    for (const { words } of portion)
      for (const word of words) {
        const count = counts.get(word)
        if (count !== undefined || counts.size < WORDS_MAX) counts.set(word, (count ?? 0) + 1)
      }
  }
  return { counts, sentences }
}

interface Scored {
  readonly text: string
  readonly score: number
  /** The index of the sentence in the conversation. */
  readonly position: number
}

/** The sentences with the highest scores, and the first of those that express a commitment; each in their order. */
async function select(
  conversation: Conversation,
  weights: WordCounts,
  count: number,
): Promise<{ readonly keyPoints: readonly string[]; readonly actionItems: readonly string[] }> {
  let best: Scored[] = []
  const actionItems: string[] = []
  let position = 0
  for await (const portion of sentencesIn(conversation)) {
    const scored = portion.map((sentence): Scored => ({
      text: shown(sentence),
      score: scoreOf(sentence, weights),
      position: (position += 1),
    }))
    best = [...best, ...scored].sort((one, other) => other.score - one.score || one.position - other.position).slice(0, count)
    const promises = portion.filter(({ words }) => ACTION.test(` ${words.join(' ')} `))
    actionItems.push(...promises.slice(0, ACTION_ITEMS_MAX - actionItems.length).map(shown))
  }
  return { keyPoints: best.sort((one, other) => one.position - other.position).map(({ text }) => text), actionItems }
}

function scoreOf({ words }: Sentence, weights: WordCounts): number {
  let sum = 0
  for (const word of new Set(words)) sum += weights.get(word) ?? 0
  return sum / Math.sqrt(words.length)
}

function shown({ text }: Sentence): string {
  return text.length <= SENTENCE_LENGTH_MAX ? text : `${text.slice(0, SENTENCE_LENGTH_MAX - 1).toWellFormed()}…`
}
