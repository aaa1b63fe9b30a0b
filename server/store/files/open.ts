import type { FilesAddress } from '../../kernel/addresses.ts'
import { loadOptional } from '../../kernel/optional_package.ts'
import { openFolder, openTemporaryFolder } from './folder.ts'
import type { FileStorage } from './storage.ts'

const CLIENT = ['@aws-sdk/client-s3', '@aws-sdk/lib-storage']

/** Opens a file storage. The storage is not accessed until its first use or `check`. */
export async function openFiles(address: FilesAddress): Promise<FileStorage> {
  if (address.kind === 'folder') return openFolder(address.path)
  if (address.kind === 'temporary') return openTemporaryFolder()
  // Loaded only if needed, because it would make starting half as long again.
  const { openS3Bucket } = await loadOptional(() => import('./s3.ts'), 'FILES_URL=s3://…', CLIENT)
  return openS3Bucket(address)
}
