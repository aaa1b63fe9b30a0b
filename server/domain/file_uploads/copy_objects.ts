import type { Database } from '../../store/database.ts'
import { eachPart, type FilePart } from '../../store/file_parts.ts'
import type { FileStorage } from '../../store/files/storage.ts'
import { AdministrationError } from '../administration/error.ts'
import { objectName } from './vault.ts'

const PARTS_AT_ONCE = 500

/** The numbers of objects copied, and of those that were already there. Objects never change. */
export interface CopiedObjects {
  readonly files: number
  readonly bytes: number
}

/**
 * Copies the bytes of all files in a database from one storage to another. Existing objects are skipped.
 * @throws AdministrationError if bytes are missing
 */
export async function copyObjects(database: Database, from: FileStorage, to: FileStorage): Promise<CopiedObjects> {
  let [files, bytes] = [0, 0]
  await database.read(async (db) => {
    for await (const parts of eachPart(db, PARTS_AT_ONCE)) {
      for (const part of parts) {
        const name = objectName(part.object)
        if (await hasBytes(to, name, part.byteLength)) continue
        await copyObject(part, name, from, to)
        files += 1
        bytes += part.byteLength
      }
    }
  })
  return { files, bytes }
}

/** @throws AdministrationError with the number of files whose bytes are not in the storage */
export async function requireObjects(database: Database, storage: FileStorage): Promise<void> {
  let missing = 0
  await database.read(async (db) => {
    for await (const parts of eachPart(db, PARTS_AT_ONCE))
      for (const { object, byteLength } of parts) if (!(await hasBytes(storage, objectName(object), byteLength))) missing += 1
  })
  if (missing > 0)
    throw new AdministrationError(`${missing} files that the database knows are not at ${storage.place}, or are cut off.`)
}

async function copyObject({ byteLength }: FilePart, name: string, from: FileStorage, to: FileStorage): Promise<void> {
  // Left over from an interrupted copy.
  await to.remove(name)
  const bytes = await from.read(name, 0, byteLength - 1).catch((error: unknown) => {
    throw new AdministrationError(`The file ${name} cannot be read at ${from.place}: ${String(error)}`)
  })
  await to.write(name, bytes)
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
