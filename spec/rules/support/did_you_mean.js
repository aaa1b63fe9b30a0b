import { closest, distance } from 'fastest-levenshtein'

/**
 * The end of a message about an unknown name: the most similar known name, or an empty text.
 * @type {(name: string, known: Iterable<string>) => string}
 */
export function didYouMean(name, known) {
  const others = [...known].filter((one) => one !== name)
  const likely = others.length === 0 ? undefined : closest(name, others)
  const mayDiffer = Math.round(name.length * 0.4) // swapping two letters in a short word counts as two edits
  return likely === undefined || distance(name, likely) > mayDiffer ? '' : `, did you mean \`${likely}\`?`
}
