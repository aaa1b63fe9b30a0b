import { readdirSync, readlinkSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { parseConfig } from '../../server/config.ts'
import type { Transaction } from '../../server/store/database.ts'
import { openDatabase } from '../../server/store/open.ts'
import { makeDatabase, on } from '../harness/databases.ts'

/** What may be done again is written without waiting for the disk; what comes after it waits for the disk as ever. */

const shared = await makeDatabase('none')
const database = openDatabase(parseConfig({ DATABASE_URL: shared.url }).database)
afterAll(async () => {
  await database.close()
  await shared.drop()
})

const fails = async (): Promise<never> => Promise.reject(new Error('stop'))

/** How often this process has the log of the database open: once more from the first time on that it is brought to the disk. */
function openLogs(): number {
  const path = `${shared.url.slice('sqlite:'.length)}-wal`
  const isLog = (file: string): boolean => {
    try {
      return readlinkSync(`/proc/self/fd/${file}`) === path
    } catch {
      return false
    }
  }
  return readdirSync('/proc/self/fd').filter(isLog).length
}

on('sqlite', it)('writeUnflushed leaves the flush to the next write, also when it fails', async () => {
  await database.writeUnflushed((db) => db.run('create table marks (number integer)'))
  const before = openLogs()
  expect(before).toBeGreaterThan(0)
  await database.writeUnflushed((db) => db.run('insert into marks values (1)'))
  await expect(database.writeUnflushed(fails)).rejects.toThrow('stop')
  expect(openLogs()).toBe(before)
  await database.write((db) => db.run('insert into marks values (2)'))
  expect(openLogs()).toBe(before + 1)
})

on('postgresql', it)('writeUnflushed does not wait for the disk, the next write does, also after a failed one', async () => {
  const setting = async (db: Transaction): Promise<string | undefined> =>
    (await db.get({ synchronous_commit: 'text' }, 'show synchronous_commit'))?.synchronous_commit
  expect(await database.writeUnflushed(setting)).toBe('off')
  expect(await database.write(setting)).toBe('on')
  await expect(database.writeUnflushed(fails)).rejects.toThrow('stop')
  expect(await database.write(setting)).toBe('on')
})
