import { closest, distance } from 'fastest-levenshtein'

/** Longer words are not compared, because the time grows with the square of their length. */
const LENGTH_MAX = 100

/** The known word that differs in at most two fifths of the letters, if there is one. Swapping two letters counts as two edits. */
export function similarWord(word: string, known: readonly string[]): string | undefined {
  if (word.length > LENGTH_MAX || known.length === 0) return undefined
  const likely = closest(word, known)
  return distance(word, likely) <= Math.round(word.length * 0.4) ? likely : undefined
}
