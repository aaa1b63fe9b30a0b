import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheFolder } from '../databases/prepare.ts'
import type { Launch } from '../processes/launch.ts'
import { buildPackage, packageLaunch } from '../subjects/package.ts'
import { serviceLaunch } from '../subjects/service.ts'
import type { BenchSubject } from '../subjects/subject.ts'
import { serviceRequests } from './operations.ts'
import type { Starter } from './starts.ts'

const EMPTY = 'SQLite, new file'
/** The goals for starts apply to the package: run from the repository, the service finds and reads over a thousand files. */
export const PACKAGE = 'Package, new file'
const REQUESTED = 200

/** This service on existing databases and on a new file, and the two servers it is compared with. */
export function startersOf(subjects: readonly BenchSubject[]): Starter[] {
  const file = join(cacheFolder, `empty-${process.pid}.db`)
  const starters = subjects.filter(({ kind }) => kind !== 'prism' && kind !== 'rows').map(existing)
  const removeFile = async (): Promise<void> => {
    for (const suffix of ['', '-wal', '-shm']) await rm(file + suffix, { force: true })
  }
  const onNewFile = (label: string, launchOn: (databaseUrl: string) => Launch): Starter => ({
    label,
    firstRequests: () => ({}),
    async launchOf() {
      await removeFile()
      return launchOn(`sqlite:${file}`)
    },
  })
  const folder = buildPackage()
  return [...starters, onNewFile(EMPTY, serviceLaunch), onNewFile(PACKAGE, (url) => packageLaunch(folder, url))]
}

function existing(subject: BenchSubject): Starter {
  const { database } = subject
  return {
    label: subject.name,
    launchOf: () => subject.launch,
    firstRequests(round) {
      if (!database) return { get: Array.from({ length: REQUESTED }, () => ({ method: 'GET', path: '/v1/blocks' })) }
      const { sample } = database
      return {
        get: serviceRequests.get(sample).slice(0, REQUESTED),
        list: Array.from({ length: REQUESTED / 4 }, () => serviceRequests.list(sample)[0]).filter(
          (request) => request !== undefined,
        ),
        patch: serviceRequests.patch(sample, 100 + round, REQUESTED),
        append: serviceRequests.append(sample, 100 + round, REQUESTED / 20),
        create: serviceRequests.create(sample, 100 + round, REQUESTED / 4),
      }
    },
  }
}
