/** The end of a chunk of a text. Chunks are encoded one by one, so none may end within a surrogate pair. */
export function chunkEnd(text: string, start: number, length: number): number {
  const end = start + length
  const isWithinPair = (text.codePointAt(end - 1) ?? 0) > 0xffff
  return isWithinPair ? end + 1 : end
}
