import { filesAddress } from '@workspace-service/server/config.ts'
import type { Database } from '@workspace-service/server/store/database.ts'
import { openFiles } from '@workspace-service/server/store/files/open.ts'
import type { FileStorage } from '@workspace-service/server/store/files/storage.ts'
import { addressSettings, type CommandContext } from './command_context.ts'

export async function withData<T>(
  context: CommandContext,
  work: (database: Database, storage: FileStorage) => Promise<T>,
): Promise<T> {
  const storage = await openFiles(filesAddress(addressSettings(context)))
  try {
    return await context.withDatabase((database) => work(database, storage))
  } finally {
    await storage.close()
  }
}
