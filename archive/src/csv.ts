import { pipeline, Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { EncodingDetector, type TextEncodingName } from './text_encoding.ts'

/**
 * A CSV record (RFC 4180). Cells that look like formulas are not escaped: an escaped cell would be a different value when it is read back.
 */
export function csvRecord(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`
}

function quoted(cell: string): string {
  return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** The most characters of one record: no row of the service is larger. */
const RECORD_LENGTH_MAX = 4_000_000

/** A table that cannot be read to its end. The message says why. */
export class CsvProblem extends Error {
  override readonly name = 'CsvProblem'
}

export interface CsvForm {
  readonly encoding: TextEncodingName
  readonly delimiter: string
  /** Whether the first line only declares the delimiter. */
  readonly hasDelimiterLine: boolean
}

export const ownCsvForm: CsvForm = { encoding: 'utf-8', delimiter: ',', hasDelimiterLine: false }

const DELIMITERS = [',', ';', '\t'] as const
/** How much of a table is read to detect its format. */
const SAMPLE_LENGTH = 64 * 1024
const SAMPLE_RECORDS = 20

/** Detects the encoding and the delimiter of a table that another program wrote. */
export async function csvFormOf(bytes: AsyncIterable<Uint8Array>): Promise<CsvForm> {
  const detector = new EncodingDetector()
  const start: Uint8Array[] = []
  let length = 0
  for await (const chunk of bytes) {
    detector.see(chunk)
    if (length < SAMPLE_LENGTH) start.push(chunk)
    length += chunk.length
  }
  const { encoding } = detector
  const text = new TextDecoder(encoding).decode(Buffer.concat(start), { stream: length > SAMPLE_LENGTH })
  const named = /^sep=([,;\t])\r?\n/.exec(text)?.[1]
  return { encoding, delimiter: named ?? delimiterIn(text), hasDelimiterLine: named !== undefined }
}

/** The delimiter with which most records have as many cells as the first record, and more than one. */
function delimiterIn(text: string): string {
  const scored = DELIMITERS.map((delimiter) => {
    const [first = 1, ...others] = cellCounts(text, delimiter)
    return { delimiter, score: first === 1 ? 0 : 1 + others.filter((count) => count === first).length, first }
  })
  return scored.toSorted((one, other) => other.score - one.score || other.first - one.first)[0]?.delimiter ?? ','
}

/** How many cells each of the first records of a table has. */
function cellCounts(text: string, delimiter: string): number[] {
  const counts: number[] = []
  let [isQuoted, cells, isEmpty] = [false, 1, true]
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (character === delimiter) cells += 1
    else if (character === '\n') {
      if (!isEmpty) counts.push(cells)
      if (counts.length === SAMPLE_RECORDS) return counts
      ;[cells, isEmpty] = [1, true]
      continue
    }
    if (character !== '\r') isEmpty = false
  }
  return isEmpty ? counts : [...counts, cells]
}

/** The records of a CSV file, the headings first. @throws CsvProblem if it is not CSV or not in its encoding */
export async function* readCsv(bytes: Readable, form: CsvForm = ownCsvForm): AsyncGenerator<readonly string[]> {
  const parser = parse({
    bom: true,
    delimiter: form.delimiter,
    relax_column_count: true,
    // Some programs write `5" pipe` without quotes around it.
    relax_quotes: form !== ownCsvForm,
    skip_empty_lines: true,
    from_line: form.hasDelimiterLine ? 2 : 1,
    max_record_size: RECORD_LENGTH_MAX,
  })
  // No error is lost here: the parser fails with the error of its source.
  pipeline(Readable.from(decoded(bytes, form.encoding)), parser, () => undefined)
  try {
    for await (const record of parser as AsyncIterable<readonly string[]>) yield record
  } catch (error) {
    if (error instanceof CsvError) throw new CsvProblem(`It is not valid CSV: ${error.message}`)
    throw error
  }
}

async function* decoded(bytes: AsyncIterable<Uint8Array>, encoding: TextEncodingName): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      throw new CsvProblem(encoding === 'utf-8' ? 'The file is not valid UTF-8.' : 'The file is not text.')
    }
  }
  for await (const chunk of bytes) {
    const text = decode(chunk)
    if (text.includes('\0')) throw new CsvProblem('The file is not text.')
    yield text
  }
  yield decode()
}
