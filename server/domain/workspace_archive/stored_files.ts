import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { deleteObjectRecord, recordObject } from '../../store/file_objects.ts'
import { listObjectsAfter } from '../../store/workspace_rows.ts'
import { objectName } from '../files/index.ts'
import { filePath, type ExportedFile } from './archive.ts'
import type { Import } from './import_deps.ts'
import { damaged } from './lines.ts'

const REMOVED_AT_ONCE = 500

/** Stores the bytes of a file from an export. @throws AdministrationError if the bytes are not those that were exported */
export async function storeFile({ database, storage, folder, manifest }: Import, file: ExportedFile): Promise<void> {
  const object = { workspaceId: manifest.workspace.id, id: file.id }
  await database.write((db) => recordObject(db, object))
  const [hash, name] = [createHash('sha256'), objectName(object)]
  await storage.remove(name)
  await storage.write(name, hashed(filePath(folder, file.id), hash))
  const sha256 = hash.digest('hex')
  if (sha256 !== file.sha256) throw damaged(`files/${file.id}: expected the SHA-256 ${file.sha256}, found ${sha256}`)
}

async function* hashed(path: string, hash: ReturnType<typeof createHash>): AsyncGenerator<Uint8Array> {
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    yield chunk
  }
}

/** Deletes the bytes of a failed import, so that it can be retried at once. */
export async function removeFiles({ database, storage, manifest }: Import): Promise<void> {
  const { id: workspaceId } = manifest.workspace
  for (;;) {
    const ids = await database.read((db) => listObjectsAfter(db, workspaceId, '', REMOVED_AT_ONCE))
    if (ids.length === 0) return storage.removeRemains(workspaceId)
    for (const id of ids) await storage.remove(objectName({ workspaceId, id }))
    await database.write(async (db) => {
      for (const id of ids) await deleteObjectRecord(db, { workspaceId, id })
    })
  }
}
