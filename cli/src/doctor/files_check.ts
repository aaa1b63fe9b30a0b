import { FileVault } from '@workspace-service/server/domain/files/index.ts'
import { systemClock } from '@workspace-service/server/kernel/clock.ts'
import { openFiles } from '@workspace-service/server/store/files/open.ts'
import { ok, problem, freeSpace, skipped, type DoctorFinding, type CheckInput } from './finding.ts'

const CHECK = 'files'

/** Whether the file storage is usable and contains the files recorded in the database. */
export async function checkFiles({ config, database }: CheckInput): Promise<DoctorFinding> {
  if (config === undefined) return skipped(CHECK, 'not checked without valid settings')
  if (config.files.address.kind === 'temporary') return skipped(CHECK, 'temporary files exist only inside the running service')
  const storage = await openFiles(config.files.address)
  try {
    const { freeBytes, isMissing } = await storage.check()
    // Without a schema, no files are recorded.
    const lacksFiles = database && new FileVault({ database, storage, clock: systemClock }).lacksFiles().catch(() => false)
    if (await lacksFiles)
      return problem(
        CHECK,
        `files recorded in the database cannot be read at ${storage.place}`,
        'Check FILES_URL, and that the storage is mounted; otherwise restore the files from the backup.',
      )
    if (isMissing) return ok(CHECK, `${storage.place} will be created with the first file`)
    return freeBytes === undefined ? ok(CHECK, `${storage.place} responds`) : freeSpace(CHECK, freeBytes, storage.place)
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    return problem(CHECK, `${storage.place} cannot be used: ${reason}`, 'Check FILES_URL and the access rights there.')
  } finally {
    await storage.close()
  }
}
