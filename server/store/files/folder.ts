import { constants, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { access, mkdir, open, readdir, rm, rmdir, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { FileStorage } from './storage.ts'

/** A storage in a folder, which several processes and machines may share. */
export function openFolder(path: string): FileStorage {
  const root = resolve(path)
  return {
    place: root,
    write: (name, bytes) => writeFile(root, join(root, name), bytes),
    read: async (name, start, end) => {
      const file = await open(join(root, name))
      return file.createReadStream({ start, end })
    },
    remove: (name) => rm(join(root, name), { force: true }),
    removeRemains: (part) => removeEmptyFolders(join(root, part)),
    check: async () => {
      const folder = nearestFolder(root)
      if (!(await stat(folder)).isDirectory()) throw new Error(`${folder} is not a folder`)
      await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
      const { bavail, bsize } = await statfs(folder)
      return { freeBytes: bavail * bsize, isMissing: folder !== root }
    },
    close: async () => undefined,
  }
}

/** A storage in a temporary folder. The folder is deleted when the storage is closed or the process exits. */
export function openTemporaryFolder(): FileStorage {
  const path = mkdtempSync(join(tmpdir(), 'workspace-files-'))
  if (temporaryFolders.size === 0) process.on('exit', removeTemporaryFolders)
  temporaryFolders.add(path)
  return {
    ...openFolder(path),
    close: async () => {
      await rm(path, { recursive: true, force: true })
      temporaryFolders.delete(path)
      if (temporaryFolders.size === 0) process.off('exit', removeTemporaryFolders)
    },
  }
}

const temporaryFolders = new Set<string>()

function removeTemporaryFolders(): void {
  for (const path of temporaryFolders) rmSync(path, { recursive: true, force: true })
}

async function writeFile(root: string, path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const folder = dirname(path)
  const isNew = !existsSync(folder)
  await mkdir(folder, { recursive: true })
  const file = await open(path, 'wx', 0o640)
  try {
    for await (const chunk of bytes) await writeAll(file, chunk)
    await file.sync()
  } finally {
    await file.close()
  }
  // A folder stores the names of its files, and the parent of a new folder stores its name, so these must be flushed as well.
  await syncFolder(folder)
  if (isNew && folder !== root) await syncFolder(dirname(folder))
}

/** Removes a folder and its subfolders, unless they contain files. */
async function removeEmptyFolders(path: string): Promise<void> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) if (entry.isDirectory()) await removeEmptyFolders(join(path, entry.name))
  await rmdir(path).catch(() => undefined)
}

async function writeAll(file: Awaited<ReturnType<typeof open>>, chunk: Uint8Array): Promise<void> {
  for (let written = 0; written < chunk.byteLength;) written += (await file.write(chunk, written)).bytesWritten
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path))
}
