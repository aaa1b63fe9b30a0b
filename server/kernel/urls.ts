/** Whether a text is an absolute URL without white space, with one of the given schemes (such as `https:`). */
export function hasScheme(text: string, schemes: readonly string[]): boolean {
  if (/\s/.test(text) || !URL.canParse(text)) return false
  return schemes.includes(new URL(text).protocol)
}

/** The percent-decoded text; the text itself if its encoding is malformed. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
