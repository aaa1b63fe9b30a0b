/** The most characters of one result. Assistants have to keep what they read. */
export const RESULT_CHARACTERS_MAX = 20_000

/** A part of a long text, and where to continue: undefined at the end. It ends at the end of a line, if there is one. */
export function portion(text: string, from: number): { readonly part: string; readonly next: number | undefined } {
  const end = from + RESULT_CHARACTERS_MAX
  if (end >= text.length) return { part: text.slice(from), next: undefined }
  const line = text.lastIndexOf('\n', end)
  const next = line > from ? line + 1 : end
  return { part: text.slice(from, next), next }
}

/** A text in a list, cut to a length. */
export function cutText(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`
}

/** The maximum number of candidates in an error. */
const CANDIDATES_MAX = 10

/** The records that a name could mean, for an error. */
export function candidateList(candidates: readonly string[]): string {
  return [...candidates.slice(0, CANDIDATES_MAX), ...(candidates.length > CANDIDATES_MAX ? ['…'] : [])].join(', ')
}
