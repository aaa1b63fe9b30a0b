/** The maximum length of one piece of text, and the maximum number of pieces of one rich text. */
const TEXT_LENGTH_MAX = 2_000
export const PIECES_MAX = 100
/** Surrogates: halves of characters. */
const SURROGATES = /[\uD800-\uDFFF]/

/** Splits a text into pieces that are short enough to be stored, never within a character. */
export function splitText(text: string): string[] {
  const pieces: string[] = []
  let start = 0
  while (text.length - start > TEXT_LENGTH_MAX) {
    let [end, count] = [start + TEXT_LENGTH_MAX, TEXT_LENGTH_MAX]
    if (SURROGATES.test(text.slice(start, end))) [end, count] = [start, 0]
    for (; count < TEXT_LENGTH_MAX && end < text.length; count += 1) end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
    pieces.push(text.slice(start, end))
    start = end
  }
  return start < text.length ? [...pieces, text.slice(start)] : pieces
}

/** Groups pieces into runs, each small enough for one rich text. There is at least one run, which may be empty. */
export function* splitPieces<Piece>(pieces: Iterable<Piece>): Generator<Piece[]> {
  let run: Piece[] = []
  let isFirst = true
  for (const piece of pieces) {
    if (run.length === PIECES_MAX) {
      yield run
      run = []
      isFirst = false
    }
    run.push(piece)
  }
  if (isFirst || run.length > 0) yield run
}
