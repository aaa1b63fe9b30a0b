import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { AdministrationError } from '../administration/error.ts'

/** What an exported workspace says of itself. It is written last, so that a folder without one is no export. */
export interface Manifest {
  readonly format: typeof FORMAT
  readonly version: typeof VERSION
  /** Of the database that it comes from, and goes into. */
  readonly schema: number
  readonly workspace: { readonly id: string; readonly name: string | null }
  /** When it was made: ISO 8601. */
  readonly time: string
  /** A digest of the key that tokens of webhooks are encrypted with; null where there was none. */
  readonly webhook_key: string | null
  /** Those that others refer to first. */
  readonly tables: readonly ExportedTable[]
  readonly files: number
}

export interface ExportedTable {
  readonly name: string
  /** In the order of the values of its rows. */
  readonly columns: readonly string[]
  readonly rows: number
}

/** An object of the file storage, in a file of its id. */
export interface ExportedFile {
  readonly id: string
  readonly bytes: number
  /** Hexadecimal. */
  readonly sha256: string
}

export const FORMAT = 'workspace-service export'
export const VERSION = 1

export const manifestPath = (folder: string): string => join(folder, 'workspace.json')
export const tablePath = (folder: string, table: string): string => join(folder, 'tables', `${table}.jsonl`)
export const fileListPath = (folder: string): string => join(folder, 'files.jsonl')
export const filePath = (folder: string, id: string): string => join(folder, 'files', id)

/** Digests of passwords and tokens are in it. */
export const OWNER_ONLY = { mode: 0o600 } as const

/** Writes values as lines, as they come. @returns how many */
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

/** Reads lines in portions. @throws AdministrationError naming a line that is no JSON */
export async function* readLines(path: string, atOnce: number): AsyncGenerator<readonly unknown[], void, undefined> {
  let [portion, number] = [[] as unknown[], 0]
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    number += 1
    portion.push(parsed(line, `${path}:${number}`))
    if (portion.length === atOnce) {
      yield portion
      portion = []
    }
  }
  if (portion.length > 0) yield portion
}

/** @throws AdministrationError naming the place */
export function parsed(text: string, place: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new AdministrationError(`${place} is no JSON: the export is damaged.`)
  }
}
