/** The first characters of a text that may be much longer. Characters are Unicode code points. */
export function firstCharacters(text: string, count: number): string {
  if (text.length <= count) return text
  return [...text.slice(0, 2 * count)].slice(0, count).join('')
}
