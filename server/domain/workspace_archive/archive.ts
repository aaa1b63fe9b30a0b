import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { AdministrationError } from '../administration/error.ts'

/** The manifest of an exported workspace. It is written last: a folder without one is not a complete export. */
export interface Manifest {
  readonly format: typeof ARCHIVE_FORMAT
  readonly version: typeof ARCHIVE_VERSION
  /** The schema version of the source database, which the target has to have too. */
  readonly schema: number
  readonly workspace: { readonly id: string; readonly name: string | null }
  /** The time of the export, in ISO 8601. */
  readonly time: string
  /** A digest of the key with which webhook tokens are encrypted; null if there is none. */
  readonly webhook_key: string | null
  /** In the order of their references: tables that others refer to come first. */
  readonly tables: readonly ExportedTable[]
  readonly files: number
}

export interface ExportedTable {
  readonly name: string
  /** In the order of the values of rows. */
  readonly columns: readonly string[]
  readonly rows: number
}

/** An object of the file storage, in a file named after its id. */
export interface ExportedFile {
  readonly id: string
  readonly bytes: number
  /** In hexadecimal. */
  readonly sha256: string
}

export const ARCHIVE_FORMAT = 'workspace-service export'
export const ARCHIVE_VERSION = 1

export const manifestPath = (folder: string): string => join(folder, 'workspace.json')
export const tablePath = (folder: string, table: string): string => join(folder, 'tables', `${table}.jsonl`)
export const fileListPath = (folder: string): string => join(folder, 'files.jsonl')
export const filePath = (folder: string, id: string): string => join(folder, 'files', id)

/** The export contains digests of passwords and tokens. */
export const OWNER_ONLY = { mode: 0o600 } as const

/** Writes values as lines, one portion at a time. @returns the number of lines */
export async function writeLines(path: string, portions: AsyncIterable<readonly unknown[]>): Promise<number> {
  const stream = createWriteStream(path, { ...OWNER_ONLY, flags: 'wx', flush: true })
  let count = 0
  try {
    for await (const values of portions) {
      count += values.length
      const isTaken = stream.write(values.map((value) => `${JSON.stringify(value)}\n`).join(''))
      if (!isTaken) await once(stream, 'drain')
    }
  } finally {
    stream.end()
    await finished(stream)
  }
  return count
}

/** Reads lines in portions. @throws AdministrationError with the number of a line that is not valid JSON */
export async function* readLines(path: string, atOnce: number): AsyncGenerator<readonly unknown[], void, undefined> {
  let [portion, number] = [[] as unknown[], 0]
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    number += 1
    portion.push(parsedRecord(line, `${path}:${number}`))
    if (portion.length === atOnce) {
      yield portion
      portion = []
    }
  }
  if (portion.length > 0) yield portion
}

/** @throws AdministrationError with the place */
export function parsedRecord(text: string, place: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new AdministrationError(`${place} is no JSON: the export is damaged.`)
  }
}
