import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { nestingMismatch } from '../../store/stored/cell_limits.ts'
import { AdministrationError } from '../shared/index.ts'
import { OWNER_ONLY } from './archive.ts'

/** The entry of the manifest for a file of lines. */
export interface LineFile {
  readonly path: string
  /** The name of the file in errors. */
  readonly name: string
  readonly lines: number
  /** Digest of all its bytes, in hexadecimal; undefined in exports of format 1. */
  readonly sha256: string | undefined
}

/** A line of JSON, with its number from 1. */
export interface ArchivedLine {
  readonly number: number
  readonly value: unknown
}

/** The maximum length of a line, in bytes: more than any row that requests can store. */
export const LINE_BYTES_MAX = 32 * 1024 * 1024
const ROWS_AT_ONCE = 500
/** Lines are passed on in portions of about this size. */
const PORTION_BYTES = 1024 * 1024
const LINE_FEED = 10

/**
 * Writes values as lines, one portion at a time.
 * @returns the number of lines, and the digest of the file
 */
export async function writeLines(
  path: string,
  portions: AsyncIterable<readonly unknown[]>,
): Promise<{ readonly lines: number; readonly sha256: string }> {
  const stream = createWriteStream(path, { ...OWNER_ONLY, flags: 'wx', flush: true })
  const hash = createHash('sha256')
  let lines = 0
  try {
    for await (const values of portions) {
      lines += values.length
      const text = values.map((value) => `${JSON.stringify(value)}\n`).join('')
      hash.update(text)
      if (!stream.write(text)) await once(stream, 'drain')
    }
  } finally {
    stream.end()
    await finished(stream)
  }
  return { lines, sha256: hash.digest('hex') }
}

/**
 * Reads lines in portions. At the end of the file, compares their number and digest with the manifest.
 * @throws AdministrationError with the location and the expected value
 */
export async function* readLines(file: LineFile): AsyncGenerator<readonly ArchivedLine[], void, undefined> {
  const hash = createHash('sha256')
  let [portion, bytes, number] = [[] as ArchivedLine[], 0, 0]
  for await (const line of splitLines(file, (chunk) => hash.update(chunk))) {
    number += 1
    portion.push({ number, value: parsedLine(file, number, line) })
    bytes += line.length
    if (portion.length < ROWS_AT_ONCE && bytes < PORTION_BYTES) continue
    yield portion
    ;[portion, bytes] = [[], 0]
  }
  if (portion.length > 0) yield portion
  if (number !== file.lines) throw damaged(`${file.name}: expected ${file.lines} rows, found ${number}`)
  const sha256 = hash.digest('hex')
  if (file.sha256 !== undefined && sha256 !== file.sha256)
    throw damaged(`${file.name}: expected the SHA-256 ${file.sha256}, found ${sha256}`)
}

async function* splitLines({ path, name }: LineFile, onChunk: (chunk: Buffer) => void): AsyncGenerator<Buffer, void, undefined> {
  await requireFile(path, name)
  let [parts, length, number] = [[] as Buffer[], 0, 1]
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    onChunk(chunk)
    for (let start = 0; start < chunk.length;) {
      const end = chunk.indexOf(LINE_FEED, start)
      const part = chunk.subarray(start, end === -1 ? chunk.length : end)
      start = end === -1 ? chunk.length : end + 1
      parts.push(part)
      length += part.length
      if (length > LINE_BYTES_MAX) throw damaged(`${name}, line ${number}: expected up to ${LINE_BYTES_MAX} bytes, found more`)
      if (end === -1) continue
      yield Buffer.concat(parts)
      ;[parts, length, number] = [[], 0, number + 1]
    }
  }
  if (length > 0) yield Buffer.concat(parts)
}

/**
 * Checks that a path leads to an ordinary file: in a folder from someone else, a link or device may lead outside the folder.
 * @returns its length in bytes
 * @throws AdministrationError if it is not an ordinary file
 */
export async function requireFile(path: string, name: string): Promise<number> {
  const found = await lstat(path).catch(() => undefined)
  if (!found?.isFile()) throw damaged(`${name}: expected a file at ${path}, found ${found ? 'something else' : 'nothing'}`)
  return found.size
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function parsedLine({ name }: LineFile, number: number, line: Buffer): unknown {
  let value: unknown
  try {
    value = JSON.parse(UTF_8.decode(line))
  } catch {
    throw damaged(`${name}, line ${number}: expected JSON in UTF-8, found something else`)
  }
  requireShallow(value, `${name}, line ${number}`)
  return value
}

/** @throws AdministrationError if JSON is nested too deeply to process or show */
export function requireShallow(value: unknown, place: string): void {
  const mismatch = nestingMismatch(value)
  if (mismatch) throw damaged(`${place}: expected ${mismatch.expected}, found more`)
}

export function damaged(problem: string): AdministrationError {
  return new AdministrationError(`The export cannot be imported. ${problem}.`)
}
