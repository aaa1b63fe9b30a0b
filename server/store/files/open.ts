import { openFolder, openTemporaryFolder } from './folder.ts'
import type { Bucket } from './s3.ts'
import type { FileStorage } from './storage.ts'

/** Where files are kept. */
export type FilesAddress =
  | { readonly kind: 'folder'; readonly path: string }
  /** A folder of this process alone, gone when it stops. */
  | { readonly kind: 'temporary' }
  | ({ readonly kind: 's3' } & Bucket)

/** Makes ready to use a storage; whether it can be used shows with the first use, or by its `check`. */
export async function openFiles(address: FilesAddress): Promise<FileStorage> {
  if (address.kind === 'folder') return openFolder(address.path)
  if (address.kind === 'temporary') return openTemporaryFolder()
  // Loaded where it is used: it takes a third of the time of a start.
  const { openBucket } = await import('./s3.ts')
  return openBucket(address)
}
