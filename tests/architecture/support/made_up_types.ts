/** The generated types with an additional type, as the generator would write it: a copy of an existing type under another name. */

/** A type of the contract and its copy, each as a prefix of schema names (`PhoneNumber`) and as a word in requests (`phone_number`). */
export interface Copy {
  readonly from: readonly [schema: string, word: string]
  readonly to: readonly [schema: string, word: string]
}

const ENTRY_END = /^ {8}\}.*;$/

/**
 * @param text `generated/types.ts`
 * @returns the text with the copy wherever the original type is
 */
export function withCopiedType(text: string, { from: [schema, word], to: [newSchema, newWord] }: Copy): string {
  const copied = (part: string): string => part.replaceAll(schema, newSchema).replaceAll(word, newWord)
  const widened = (line: string): string =>
    line
      .replace(new RegExp(String.raw`components\["schemas"\]\["${schema}\w*"\]`, 'g'), (one) => `${one} | ${copied(one)}`)
      .replace(new RegExp(`"${word}"(?= \\||;|\\)|\\[)`, 'g'), (one) => `${one} | ${copied(one)}`)
  const lines = text.split('\n')
  const out: string[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (new RegExp(`^export type ${schema}`).test(line)) out.push(line, copied(line))
    else if (new RegExp(`^ {8}${schema}\\w*: `).test(line)) {
      const end = line.endsWith(';') ? at : lines.findIndex((one, index) => index >= at && ENTRY_END.test(one))
      const entry = lines.slice(at, end + 1)
      out.push(...entry, ...entry.map(copied))
      at = end
    } else out.push(widened(line))
  }
  return out.join('\n')
}
