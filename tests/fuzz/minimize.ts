const TRIES_MAX = 3_000
const PROCESSOR_MS_MAX = 30_000

/**
 * Shrinks a failing text by removing parts, within a time limit.
 * @param fails whether a text fails for the same reason
 */
export async function minimize(input: string, fails: (text: string) => Promise<boolean>): Promise<string> {
  const start = process.threadCpuUsage()
  let [text, tries] = [input, 0]
  const isOver = (): boolean => tries > TRIES_MAX || process.threadCpuUsage(start).user > PROCESSOR_MS_MAX * 1000
  for (let size = Math.ceil(text.length / 2); size >= 1 && !isOver(); size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < text.length && !isOver();) {
      const shorter = text.slice(0, at) + text.slice(at + size)
      tries += 1
      if (await fails(shorter)) text = shorter
      else at += size
    }
  }
  return text
}
