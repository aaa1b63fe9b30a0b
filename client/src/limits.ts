/** Limits on data from a service, whatever it sends. */
export interface Limits {
  /** Bytes of one response, after decompression; characters of all events of a stream. */
  readonly bytes: number
  /** JSON values in one response, or in all events of a stream. */
  readonly values: number
  /** Levels of nested JSON values. */
  readonly levels: number
  /** Items of a list that `each` reads. */
  readonly items: number
  /** Milliseconds that `finished` waits for a task. */
  readonly taskMilliseconds: number
}

/** With these limits, a response takes at most about 200 MB of memory. */
export const defaultLimits: Limits = {
  bytes: 32 * 2 ** 20,
  values: 1_000_000,
  levels: 200,
  items: 10_000_000,
  taskMilliseconds: 60 * 60_000,
}

/**
 * Reads a body as text in UTF-8, and ends the connection once it is too long.
 * @returns undefined for more than `bytesMax` bytes
 */
export async function readText(body: ReadableStream<Uint8Array> | null, bytesMax: number): Promise<string | undefined> {
  if (!body) return ''
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > bytesMax) {
      // A failure to cancel does not matter any more.
      void reader.cancel().catch(() => undefined)
      return undefined
    }
    text += decoder.decode(value, { stream: true })
  }
}

/**
 * Counts the values of a JSON text without parsing it, which would need memory for all of them.
 * @returns the exceeded limit, if there are too many values or levels
 */
export function countValues(text: string, { values, levels }: Pick<Limits, 'values' | 'levels'>): number | string {
  let [count, level] = [1, 0]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = stringEnd(text, at)
    else if (code === COMMA) count += 1
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) [count, level] = [count + 1, level + 1]
    else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) level -= 1
    if (level > levels) return `at most ${levels} nested levels`
    if (count > values) return `at most ${values} values`
  }
  return count
}

/** Whether a parsed JSON value has more nested levels. Loops, because callbacks take eight times as long. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels < 1) return true
  if (Array.isArray(value)) {
    for (const item of value) if (isDeeper(item, levels - 1)) return true
    return false
  }
  const members = value as Readonly<Record<string, unknown>>
  for (const name in members) if (isDeeper(members[name], levels - 1)) return true
  return false
}

const [QUOTE, COMMA, OPEN_ARRAY, BACKSLASH, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [34, 44, 91, 92, 93, 123, 125]

/** The position of the quotation mark that ends a string. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at
    if (code === BACKSLASH) at += 1
  }
  return text.length
}
