import { closest, distance } from 'fastest-levenshtein'

/**
 * How a message about an unknown name ends: with the known name that is most alike, or with nothing.
 * @type {(name: string, known: Iterable<string>) => string}
 */
export function didYouMean(name, known) {
  const others = [...known].filter((one) => one !== name)
  const likely = others.length === 0 ? undefined : closest(name, others)
  const mayDiffer = Math.round(name.length * 0.4) // two letters swapped in a short word are two edits
  return likely === undefined || distance(name, likely) > mayDiffer ? '' : `, did you mean \`${likely}\`?`
}
