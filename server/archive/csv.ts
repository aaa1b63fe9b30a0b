import { pipeline, Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'

/** A record by RFC 4180. Cells that look like formulas stay as they are: a changed cell would be a different value when it is read back. */
export function csvRecord(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`
}

function quoted(cell: string): string {
  return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** Most characters of one record: no row of the service is larger. */
const RECORD_LENGTH_MAX = 4_000_000

/** A table that cannot be read from a record on, which the message names. */
export class CsvProblem extends Error {
  override readonly name = 'CsvProblem'
}

/** The records of a CSV file, the headings first. @throws CsvProblem if it is not CSV or not UTF-8 */
export async function* readCsv(bytes: Readable): AsyncGenerator<readonly string[]> {
  const parser = parse({ bom: true, relax_column_count: true, skip_empty_lines: true, max_record_size: RECORD_LENGTH_MAX })
  // The parser fails with the error of its source.
  pipeline(Readable.from(decoded(bytes)), parser, () => undefined)
  try {
    for await (const record of parser as AsyncIterable<readonly string[]>) yield record
  } catch (error) {
    if (error instanceof CsvError) throw new CsvProblem(`It is no CSV: ${error.message}`)
    throw error
  }
}

async function* decoded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      throw new CsvProblem('It is not UTF-8.')
    }
  }
  for await (const chunk of bytes) yield decode(chunk)
  yield decode()
}
