/** The generated types with an additional type, as the generator would write it: a copy of an existing type under another name. */

/** A type of the contract and its copy, each as a prefix of schema names (`PhoneNumber`) and as a word in requests (`phone_number`). */
export interface Copy {
  readonly from: readonly [schema: string, word: string]
  readonly to: readonly [schema: string, word: string]
}

const DECLARATION_END = /^\}.*;$/
const COMMENT = /^\s*(?:\/\*\*|\*)/

/**
 * @param text `generated/types.ts`
 * @returns the text with the copy wherever the original type is
 */
export function withCopiedType(text: string, { from: [schema, word], to: [newSchema, newWord] }: Copy): string {
  const copied = (part: string): string => part.replaceAll(schema, newSchema).replaceAll(word, newWord)
  const widened = (line: string): string =>
    line
      .replace(new RegExp(String.raw`(?<![\w"'])${schema}\w*(?![\w"'])`, 'g'), (one) => `${one} | ${copied(one)}`)
      .replace(new RegExp(`"${word}"(?= \\||;|\\)|\\[)`, 'g'), (one) => `${one} | ${copied(one)}`)
  const lines = text.split('\n')
  const out: string[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (new RegExp(`^export type ${schema}`).test(line)) {
      const end = line.endsWith(';') ? at : lines.findIndex((one, index) => index >= at && DECLARATION_END.test(one))
      const declaration = lines.slice(at, end + 1)
      out.push(...declaration, ...declaration.map(copied))
      at = end
    } else if (new RegExp(`^ {8}${schema}\\w*: `).test(line)) out.push(line, copied(line))
    else out.push(COMMENT.test(line) ? line : widened(line))
  }
  return out.join('\n')
}
