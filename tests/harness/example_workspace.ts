import { parseConfig, type Config } from '../../server/config.ts'
import { makeLog } from '../../server/log.ts'
import { prepareDatabase } from '../../server/service/prepare_database.ts'
import type { Database } from '../../server/store/database.ts'
import { holdSweeps } from './sweeps.ts'

export const TOKEN = 'itk_test_token_of_the_demo_connection'

/** The time at which tests begin: early in the morning of the launch day in the example workspace. */
export const MORNING = Date.parse('2026-05-16T04:30:00.000Z')

/** The settings of a test server: without log, file folder and rate limit, unless a test sets them. */
export function testConfig(settings: Readonly<Record<string, string | undefined>> = {}): Config {
  return parseConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    FILES_URL: 'file::temporary:',
    BOOTSTRAP_TOKEN: TOKEN,
    LOG_LEVEL: 'silent',
    RATE_LIMIT: 'off',
    ...settings,
  })
}

/** Prepares a database like a test server that starts at `MORNING`. */
export async function prepareExampleWorkspace(database: Database): Promise<void> {
  const config = testConfig()
  await prepareDatabase(database, config, { now: () => MORNING }, makeLog(config))
  await holdSweeps(database)
}

/** Whether a server with these settings would prepare its database like `prepareExampleWorkspace`. */
export function startsWithExampleWorkspace(settings: Readonly<Record<string, string>>, now: number): boolean {
  return now === MORNING && !Object.keys(settings).some((name) => name.startsWith('BOOTSTRAP_') || name === 'DATABASE_URL')
}
