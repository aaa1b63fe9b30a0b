import type { FilesAddress } from '../../kernel/addresses.ts'
import { openFolder, openTemporaryFolder } from './folder.ts'
import type { FileStorage } from './storage.ts'

/** Makes ready to use a storage; whether it can be used shows with the first use, or by its `check`. */
export async function openFiles(address: FilesAddress): Promise<FileStorage> {
  if (address.kind === 'folder') return openFolder(address.path)
  if (address.kind === 'temporary') return openTemporaryFolder()
  // Loaded where it is used: it takes a third of the time of a start.
  const { openBucket } = await import('./s3.ts')
  return openBucket(address)
}
