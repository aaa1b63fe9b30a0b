import { createHash } from 'node:crypto'
import type { Database } from '../../store/database.ts'
import { eachPart, type FilePart } from '../../store/file_parts.ts'
import type { FileStorage } from '../../store/files/storage.ts'
import { AdministrationError } from '../shared/index.ts'
import { objectName } from './vault.ts'

const PARTS_AT_ONCE = 500
const HEX_LENGTH = 64

/** How many objects were copied, and how many existed already. Objects never change. */
export interface CopiedObjects {
  readonly files: number
  readonly bytes: number
}

/** A backup contains the checksum of each object as an object beside it. */
const checksumName = (name: string): string => `${name}.sha256`

/**
 * Copies the bytes of all files in a database from one storage to another. Existing objects are skipped.
 * @param withChecksums whether each copy gets its SHA-256 beside it, as in a backup; objects without one are copied again
 * @throws AdministrationError if bytes are missing
 */
export async function copyObjects(
  database: Database,
  from: FileStorage,
  to: FileStorage,
  withChecksums: boolean,
): Promise<CopiedObjects> {
  let [files, bytes] = [0, 0]
  await database.read(async (db) => {
    for await (const parts of eachPart(db, PARTS_AT_ONCE)) {
      for (const part of parts) {
        const name = objectName(part.object)
        const isThere = await hasBytes(to, name, part.byteLength)
        if (isThere && (!withChecksums || (await checksumIn(to, name)) !== undefined)) continue
        const sha256 = await copyObject(part, name, from, to)
        if (withChecksums) await writeObject(to, checksumName(name), Buffer.from(sha256))
        files += 1
        bytes += part.byteLength
      }
    }
  })
  return { files, bytes }
}

/**
 * @param verifies whether to compare all bytes with the checksums of a backup
 * @throws AdministrationError with the number of files whose bytes are not in the storage, or the name of one that has changed
 */
export async function requireObjects(database: Database, storage: FileStorage, verifies: boolean): Promise<void> {
  let missing = 0
  await database.read(async (db) => {
    for await (const parts of eachPart(db, PARTS_AT_ONCE)) {
      for (const { object, byteLength } of parts) {
        const name = objectName(object)
        if (!(await hasBytes(storage, name, byteLength))) missing += 1
        else if (verifies && missing === 0) await requireSameBytes(storage, name, byteLength)
      }
    }
  })
  if (missing > 0)
    throw new AdministrationError(`${missing} files that the database records are missing or truncated at ${storage.place}.`)
}

async function requireSameBytes(storage: FileStorage, name: string, byteLength: number): Promise<void> {
  const expected = await checksumIn(storage, name)
  if (expected === undefined)
    throw new AdministrationError(
      `${storage.place} does not contain ${checksumName(name)}, so the file cannot be verified. Add --without-checksum to restore it anyway.`,
    )
  const hash = createHash('sha256')
  for await (const chunk of await storage.read(name, 0, byteLength - 1)) hash.update(chunk as Uint8Array)
  const found = hash.digest('hex')
  if (found !== expected)
    throw new AdministrationError(`${name} at ${storage.place}: expected the SHA-256 ${expected}, found ${found}.`)
}

/** @returns the SHA-256 of its bytes, in hexadecimal */
async function copyObject({ byteLength }: FilePart, name: string, from: FileStorage, to: FileStorage): Promise<string> {
  const bytes = await from.read(name, 0, byteLength - 1).catch((error: unknown) => {
    throw new AdministrationError(`The file ${name} cannot be read at ${from.place}: ${String(error)}`)
  })
  const hash = createHash('sha256')
  await replaceObject(to, name, hashing(bytes, hash))
  return hash.digest('hex')
}

async function* hashing(bytes: AsyncIterable<unknown>, hash: ReturnType<typeof createHash>): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes as AsyncIterable<Uint8Array>) {
    hash.update(chunk)
    yield chunk
  }
}

/** Writes an object in place of what an interrupted copy may have left. */
async function replaceObject(storage: FileStorage, name: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  await storage.remove(name)
  await storage.write(name, bytes)
}

async function writeObject(storage: FileStorage, name: string, bytes: Uint8Array): Promise<void> {
  await replaceObject(
    storage,
    name,
    (async function* () {
      yield bytes
    })(),
  )
}

/** The checksum beside an object, or undefined. */
async function checksumIn(storage: FileStorage, name: string): Promise<string | undefined> {
  const text = await textOf(storage, checksumName(name)).catch(() => undefined)
  return text !== undefined && /^[0-9a-f]{64}$/.test(text) ? text : undefined
}

async function textOf(storage: FileStorage, name: string): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of await storage.read(name, 0, HEX_LENGTH - 1)) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks).toString()
}

/** Whether the object is complete: its last byte can be read. */
async function hasBytes(storage: FileStorage, name: string, byteLength: number): Promise<boolean> {
  try {
    let found = 0
    for await (const chunk of await storage.read(name, byteLength - 1, byteLength - 1)) found += (chunk as Uint8Array).byteLength
    return found === 1
  } catch {
    return false
  }
}
