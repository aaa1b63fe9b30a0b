import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheFolder } from '../databases/prepare.ts'
import { serviceLaunch } from '../subjects/service.ts'
import type { BenchSubject } from '../subjects/subject.ts'
import { serviceRequests } from './operations.ts'
import type { Starter } from './starts.ts'

const EMPTY = 'SQLite, new file'
const ASKED = 200

/** This service on databases that exist and on a new file, and the two it is compared with. */
export function startersOf(subjects: readonly BenchSubject[]): Starter[] {
  const file = join(cacheFolder, `empty-${process.pid}.db`)
  const starters = subjects.filter(({ kind }) => kind !== 'prism' && kind !== 'rows').map(existing)
  const removeFile = async (): Promise<void> => {
    for (const suffix of ['', '-wal', '-shm']) await rm(file + suffix, { force: true })
  }
  return [
    ...starters,
    {
      label: EMPTY,
      firstRequests: () => ({}),
      async launchOf() {
        await removeFile()
        return serviceLaunch(`sqlite:${file}`)
      },
    },
  ]
}

function existing(subject: BenchSubject): Starter {
  const { database } = subject
  return {
    label: subject.name,
    launchOf: () => subject.launch,
    firstRequests(round) {
      if (!database) return { get: Array.from({ length: ASKED }, () => ({ method: 'GET', path: '/v1/blocks' })) }
      const { sample } = database
      return {
        get: serviceRequests.get(sample).slice(0, ASKED),
        list: Array.from({ length: ASKED / 4 }, () => serviceRequests.list(sample)[0]).filter((request) => request !== undefined),
        patch: serviceRequests.patch(sample, 100 + round, ASKED),
        append: serviceRequests.append(sample, 100 + round, ASKED / 20),
        create: serviceRequests.create(sample, 100 + round, ASKED / 4),
      }
    },
  }
}
