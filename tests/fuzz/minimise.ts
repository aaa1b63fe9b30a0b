/**
 * The smallest text that still fails, as far as leaving pieces out gets it.
 * @param fails whether a text fails for the same cause
 */
export async function minimised(input: string, fails: (text: string) => Promise<boolean>, triesMax = 3000): Promise<string> {
  let text = input
  let tries = 0
  for (let size = Math.ceil(text.length / 2); size >= 1 && tries < triesMax; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < text.length && tries < triesMax;) {
      const shorter = text.slice(0, at) + text.slice(at + size)
      tries += 1
      if (await fails(shorter)) text = shorter
      else at += size
    }
  }
  return text
}
