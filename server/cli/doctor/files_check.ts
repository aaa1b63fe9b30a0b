import { FileVault } from '../../domain/file_uploads/vault.ts'
import { systemClock } from '../../kernel/clock.ts'
import { openFiles } from '../../store/files/open.ts'
import { ok, problem, roomFinding, skipped, type Finding, type Patient } from './finding.ts'

const CHECK = 'files'

/** Whether the bytes of files can be kept, and whether those that the database knows of are there. */
export async function checkFiles({ config, database }: Patient): Promise<Finding> {
  if (config === undefined) return skipped(CHECK, 'the settings cannot be read')
  if (config.files.address.kind === 'temporary') return skipped(CHECK, 'they belong to the process that serves')
  const storage = await openFiles(config.files.address)
  try {
    const { freeBytes, isMissing } = await storage.check()
    // A schema that is yet to be made knows of none.
    const lacksFiles = database && new FileVault({ database, storage, clock: systemClock }).lacksFiles().catch(() => false)
    if (await lacksFiles)
      return problem(
        CHECK,
        `files that the database knows of cannot be read at ${storage.place}`,
        'Check FILES_URL, and that what it names is mounted; else bring the files back from the backup.',
      )
    if (isMissing) return ok(CHECK, `${storage.place} is made with the first file`)
    return freeBytes === undefined ? ok(CHECK, `${storage.place} answers`) : roomFinding(CHECK, freeBytes, storage.place)
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    return problem(CHECK, `${storage.place} cannot be used: ${reason}`, 'Check FILES_URL, and the rights that it gives.')
  } finally {
    await storage.close()
  }
}
