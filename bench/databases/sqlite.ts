import { constants } from 'node:fs'
import { copyFile, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { undashed } from '../../server/kernel/ids.ts'
import type { Engine } from './engine.ts'

/** SQLite files in a folder. */
export async function sqliteEngine(folder: string): Promise<Engine> {
  const fileOf = (key: string): string => join(folder, `${key}.db`)
  const copies = join(folder, `copies-${process.pid}`)
  await mkdir(copies, { recursive: true })
  let logged = 0
  let copied = 0
  return {
    name: 'sqlite',
    async forgetAllBut(keys) {
      const known = new Set([...keys.map((key) => `${key}.db`), `copies-${process.pid}`])
      for (const name of await readdir(folder)) if (!known.has(name)) await rm(join(folder, name), { recursive: true })
    },
    create: async (key) => `sqlite:${join(copies, `${key}.new`)}`,
    keep: (key) => rename(join(copies, `${key}.new`), fileOf(key)),
    has: (key) =>
      stat(fileOf(key)).then(
        () => true,
        () => false,
      ),
    async copy(key) {
      const file = join(copies, `${key}_${(copied += 1)}.db`)
      await copyFile(fileOf(key), file, constants.COPYFILE_FICLONE)
      return `sqlite:${file}`
    },
    async share(url, page) {
      const handle = new DatabaseSync(url.replace(/^sqlite:/, ''), { timeout: 5_000 })
      handle
        .prepare('update grants set item_id = coalesce(?, workspace_id)')
        .run(page === undefined ? null : Buffer.from(undashed(page), 'hex'))
      handle.close()
    },
    bytesWritten: async (url) => {
      const file = url.replace(/^sqlite:/, '')
      const size = await stat(`${file}-wal`).then(
        (found) => found.size,
        () => 0,
      )
      // Truncates the log, which otherwise keeps its largest size.
      const handle = new DatabaseSync(file, { timeout: 5_000 })
      handle.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      handle.close()
      return (logged += size)
    },
    async bytesStored(url) {
      const handle = new DatabaseSync(url.replace(/^sqlite:/, ''), { timeout: 5_000 })
      handle.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      const row = handle
        .prepare(
          `select (p.page_count - f.freelist_count) * s.page_size as bytes
          from pragma_page_count p, pragma_freelist_count f, pragma_page_size s`,
        )
        .get()
      handle.close()
      return Number(row?.['bytes'])
    },
    processorSeconds: () => 0,
    dropCopies: () => rm(copies, { recursive: true, force: true }),
    stop: async () => undefined,
  }
}
