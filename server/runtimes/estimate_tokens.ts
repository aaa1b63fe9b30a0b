/** Estimates the tokens of a text that no endpoint has counted: a quarter of its bytes in UTF-8, rounded up. */
export function estimateTokens(text: string): number {
  return estimateTokensOf([text])
}

/** Like `estimateTokens`, for the lines of a text, as if they were joined. */
export function estimateTokensOf(lines: Iterable<string>): number {
  let bytes = -1
  for (const line of lines) bytes += Buffer.byteLength(line, 'utf8') + 1
  return Math.ceil(Math.max(0, bytes) / BYTES_PER_TOKEN)
}

const BYTES_PER_TOKEN = 4
