import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { LogFlusher } from '../../../server/store/dialects/log_flusher.ts'
import { scratchFolder } from '../../harness/databases.ts'

/** SQLite writes are acknowledged once its log is on disk. */

it('flushes of the log fail without the file, and succeed when it can be opened again', async () => {
  const path = join(scratchFolder('log-'), 'workspace.db-wal')
  const flusher = new LogFlusher(path)
  await expect(flusher.flush()).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(flusher.flush()).rejects.toMatchObject({ code: 'ENOENT' })
  writeFileSync(path, '')
  await expect(flusher.flush()).resolves.toBeUndefined()
  await flusher.close()
})

it('flushes of the log fail on a disk that refuses them', async () => {
  // This file can be opened but not flushed.
  const flusher = new LogFlusher('/dev/null')
  await expect(flusher.flush()).rejects.toMatchObject({ code: 'EINVAL' })
  await expect(flusher.flush()).rejects.toMatchObject({ code: 'EINVAL' })
  await flusher.close()
})
