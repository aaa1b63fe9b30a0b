const EMOJI_LENGTH_MAX = 64

/** Created on first use: creating the first one takes a large part of a small program's start. */
let graphemes: Intl.Segmenter | undefined

/** Whether a text is one emoji as readers see it: joined sequences, flags, skin tones and keycaps count as one. */
export function isOneEmoji(text: string): boolean {
  if (text.length > EMOJI_LENGTH_MAX) return false
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return (
    [...graphemes.segment(text)].length === 1 &&
    /^(?:\p{RGI_Emoji}|\p{Extended_Pictographic}|\p{Regional_Indicator}{2})/v.test(text)
  )
}
