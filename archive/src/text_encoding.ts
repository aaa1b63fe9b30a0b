/** Bytes that are not text in any known encoding. */
export class NotText extends Error {
  override readonly name = 'NotText'
}

export type TextEncodingName = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** How many bytes are read to detect an encoding other than UTF-8. */
const SAMPLE_BYTES = 4_096

/** UTF-16 is recognized by its byte order mark, or by its zero bytes; undefined if the text may be UTF-8. */
function wideEncodingOf(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  const zeros = [0, 0]
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const many = sample.length / 8
  if (odd > many && even === 0) return 'utf-16le'
  return even > many && odd === 0 ? 'utf-16be' : undefined
}

/** Detects the encoding of a text that arrives in parts. */
export class EncodingDetector {
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true })
  #start: Uint8Array | undefined
  #isUtf8 = true

  see(chunk: Uint8Array): void {
    this.#start ??= chunk.slice(0, SAMPLE_BYTES)
    if (!this.#isUtf8) return
    try {
      this.#utf8.decode(chunk, { stream: true })
    } catch {
      this.#isUtf8 = false
    }
  }

  get encoding(): TextEncodingName {
    const wide = wideEncodingOf(this.#start ?? new Uint8Array())
    if (wide) return wide
    try {
      if (this.#isUtf8) this.#utf8.decode()
    } catch {
      this.#isUtf8 = false
    }
    return this.#isUtf8 ? 'utf-8' : 'windows-1252'
  }
}

/**
 * The text of a file in UTF-8, UTF-16 or Windows-1252, the fallback for any other bytes.
 * @throws NotText
 */
export function textOfBytes(bytes: Uint8Array): string {
  const detector = new EncodingDetector()
  detector.see(bytes)
  const text = decoded(bytes, detector.encoding)
  if (text === undefined || text.includes('\0')) throw new NotText()
  return text
}

function decoded(bytes: Uint8Array, encoding: TextEncodingName): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The text at the start of a file. */
export function startOf(bytes: Uint8Array): string {
  const wide = wideEncodingOf(bytes)
  try {
    return new TextDecoder(wide ?? 'utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder(wide ?? 'windows-1252').decode(bytes)
  }
}
