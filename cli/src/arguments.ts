import { InvalidArgumentError } from 'commander'

/** Parsers of option values; an invalid value is a usage error. */

export function wholeNumberOption(from: number, to: number): (text: string) => number {
  return (text) => {
    if (!/^\d{1,10}$/.test(text) || Number(text) < from || Number(text) > to)
      throw new InvalidArgumentError(`It should be a whole number from ${from} to ${to}.`)
    return Number(text)
  }
}

/** A list: values separated by commas, or the option given several times. */
export function commaSeparatedOption(text: string, before: readonly string[] | undefined): readonly string[] {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  if (entries.length === 0) throw new InvalidArgumentError('It should not be empty.')
  return [...(before ?? []), ...entries]
}

/** Values that may contain commas: one for each occurrence of the option. */
export function each(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text]
}
