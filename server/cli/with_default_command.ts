/** Words of a command line with their command: whoever says no more than the program's name, or `--test`, wants to see it serve. */
export function withDefaultCommand(words: readonly string[]): readonly string[] {
  const isServing = words.length === 0 || (words.includes('--test') && words[0]?.startsWith('-'))
  return isServing ? ['serve', ...words] : words
}
