const SPECIAL = /[\\*~`$[\]<>{}|^_:\r\n]/
const SPECIAL_ALL = /[\\*~`$[\]<>{}|^]|_+|https:(?=\/\/(?:\S|$))|:(?=[\p{L}\p{M}\p{N}_+-]{1,100}:)|\r\n?|\n/gu

const WORD_END = /[\p{L}\p{N}]$/u
const WORD_START = /^[\p{L}\p{N}]/u

/** Writes plain text, escaped so that no part of it is parsed as a mark, a tag, a link or an emoji. Line breaks become `<br>`. */
export function escapeText(text: string): string {
  if (!SPECIAL.test(text)) return text
  return text.replace(SPECIAL_ALL, (found, offset: number) => {
    switch (found[0]) {
      case '\n':
      case '\r':
        return '<br>'
      case '_':
        return isInsideWord(text, offset, found.length) ? found : '\\_'.repeat(found.length)
      case 'h':
        return 'https\\:'
      case ':':
        return isClockTime(text, offset) ? found : '\\:'
      default:
        return `\\${found}`
    }
  })
}

/** Whether a run of underscores is between letters, as in `snake_case`, where it is not a mark. */
function isInsideWord(text: string, start: number, length: number): boolean {
  return (
    WORD_END.test(text.slice(Math.max(0, start - 2), start)) && WORD_START.test(text.slice(start + length, start + length + 2))
  )
}

/** Whether a colon is part of a time: `:30:` in `12:30:45` is not an emoji, even if the workspace has an emoji with this name. */
export function isClockTime(text: string, colon: number): boolean {
  return /\d$/.test(text.slice(Math.max(0, colon - 1), colon)) && /^:\d{1,2}:/.test(text.slice(colon, colon + 4))
}

const BLOCK_START = /^(?:#{1,6}(?=[ \t]|$)|[-+](?=[ \t]|$)|---|:::)/
const NUMBER_START = /^(\d{1,9})([.)])(?=[ \t]|$)/

/** Escapes the start of a line, so that it is not parsed as the syntax of another block. */
export function escapeLineStart(written: string): string {
  const first = written.charCodeAt(0)
  // The codes of #, +, -, : and digits.
  if (first !== 35 && first !== 43 && first !== 45 && first !== 58 && !(first >= 48 && first <= 57)) return written
  if (BLOCK_START.test(written)) return `\\${written}`
  return written.replace(NUMBER_START, '$1\\$2')
}

/** The text of a heading without its closing `#`s, as in `## Tides ##`. A regular expression would be slow for long runs of blanks. */
export function withoutClosingMarks(text: string): string {
  const trimmed = trimTrailingBlanks(text)
  let start = trimmed.length
  while (trimmed[start - 1] === '#') start -= 1
  if (start === trimmed.length || (start > 0 && !isBlank(trimmed.charCodeAt(start - 1)))) return text
  return trimmed.slice(0, start)
}

/** Escapes `#`s at the end of a heading, so that they do not close it. */
export function escapeClosingMarks(written: string): string {
  return withoutClosingMarks(written) === written ? written : written.replace(/#$/, '\\#')
}

/** Whether a character is a space or a tab. Other white space is ordinary text. */
function isBlank(code: number): boolean {
  return code === 32 || code === 9
}

/** The text without blanks at its end. A regular expression would be slow for long runs of blanks inside the text. */
export function trimTrailingBlanks(text: string): string {
  let end = text.length
  while (end > 0 && isBlank(text.charCodeAt(end - 1))) end -= 1
  return end === text.length ? text : text.slice(0, end)
}

/** Preserves blanks at the edges of a text by a backslash before the first and the last one. Parsers drop unescaped ones. */
export function escapeEdges(written: string): string {
  const { length } = written
  if (length === 0) return written
  const [atStart, atEnd] = [isBlank(written.charCodeAt(0)), isBlank(written.charCodeAt(length - 1))]
  if (!atStart && !atEnd) return written
  const kept = atEnd && length > 1 ? `${written.slice(0, -1)}\\${written.slice(-1)}` : written
  return atStart ? `\\${kept}` : kept
}

/** Removes spaces at both ends of a text, except escaped ones. The reverse of `escapeEdges`. */
export function trimEdges(written: string): string {
  let start = 0
  let end = written.length
  while (start < end && isBlank(written.charCodeAt(start))) start += 1
  while (end > start && isBlank(written.charCodeAt(end - 1))) end -= 1
  const keepsStart = written[start] === '\\' && isBlank(written.charCodeAt(start + 1))
  if (keepsStart && end <= start + 1) return written.slice(start + 1, start + 2)
  const from = keepsStart ? start + 1 : start
  if (end < written.length && isEscaped(written, end)) return written.slice(from, end - 1) + written[end]
  return written.slice(from, end)
}

/** A text without the backslashes that escape its punctuation. */
export function unescapeText(written: string): string {
  return written.includes('\\') ? written.replace(/\\([!-/:-@[-`{-~])/g, '$1') : written
}

/** Whether a position is preceded by an odd number of backslashes. */
export function isEscaped(text: string, position: number): boolean {
  let count = 0
  while (text[position - 1 - count] === '\\') count += 1
  return count % 2 === 1
}
