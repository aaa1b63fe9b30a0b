/** The arguments of a command line with their command: the program's name alone, or with `--test`, means `serve`. */
export function withDefaultCommand(words: readonly string[]): readonly string[] {
  const isServing = words.length === 0 || (words.includes('--test') && words[0]?.startsWith('-'))
  return isServing ? ['serve', ...words] : words
}
