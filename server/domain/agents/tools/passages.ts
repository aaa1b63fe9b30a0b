import type { TermCounter } from '../terms.ts'

/** A part of a text, and the number of terms in it. */
export interface Passage {
  readonly text: string
  readonly terms: number
}

const IN_TITLE = 3
const PASSAGES_MAX = 2
const PASSAGE_LENGTH_MAX = 300

/** Each term counts three in the title and one in the text. */
export function scoreOf(counter: TermCounter, title: string, texts: readonly string[]): number {
  return IN_TITLE * counter.distinctIn(title) + counter.distinctInAll(texts)
}

/** The two texts with the most terms, in their order; the beginning of the page if only its title contains terms. */
export function passagesOf(counter: TermCounter, title: string, texts: readonly string[]): Passage[] {
  const counted = texts.map((text) => ({ text: cut(text), terms: counter.distinctIn(text) }))
  const best = counted.filter(({ terms }) => terms > 0).sort((a, b) => b.terms - a.terms)
  return best.length > 0 ? best.slice(0, PASSAGES_MAX) : [counted[0] ?? { text: cut(title), terms: 0 }]
}

/** Puts a text on one line, and shortens it between words if it is too long. */
function cut(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  if (line.length <= PASSAGE_LENGTH_MAX) return line
  const start = line.slice(0, PASSAGE_LENGTH_MAX + 1)
  const end = start.lastIndexOf(' ')
  return end > 0 ? start.slice(0, end) : start.slice(0, PASSAGE_LENGTH_MAX).replace(/[\uD800-\uDBFF]$/, '')
}

interface Ranked {
  readonly score: number
  readonly last_edited_time: string
  readonly id: string
}

/** By score, then by the time of the last edit, newest first, then by id. */
export function bestFirst(a: Ranked, b: Ranked): number {
  return b.score - a.score || compare(b.last_edited_time, a.last_edited_time) || compare(a.id, b.id)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
