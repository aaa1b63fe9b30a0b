import type { Logger } from 'pino'
import { bootstrap, type Bootstrapped } from '../bootstrap/bootstrap.ts'
import type { Config } from '../config.ts'
import { settleDefaultQuotas } from '../domain/administration/index.ts'
import { KnownDevices } from '../domain/people/index.ts'
import { type Clock } from '../kernel/clock.ts'
import { Cursors } from '../kernel/cursors.ts'
import { FileLinks } from '../kernel/file_links.ts'
import { random } from '../kernel/random.ts'
import type { Database } from '../store/database.ts'
import { ensureInstanceValue } from '../store/instance.ts'
import { migrate } from '../store/migrations.ts'
import { reportWaits } from '../store/report_waits.ts'

/** Migrates the database to the newest schema, creates its secrets, and fills an empty database with its first records. */
export async function prepareDatabase(
  database: Database,
  config: Config,
  clock: Clock,
  log: Logger,
): Promise<{ bootstrapped: Bootstrapped; cursors: Cursors; fileLinks: FileLinks; devices: KnownDevices }> {
  const store = reportWaits(database, () => log.info('another process is preparing the database; this one waits for it'))
  await migrate(store)
  await settleDefaultQuotas(database, config.quotas)
  const { cursor, fileLink, device } = await ensureSecrets(database)
  return {
    cursors: new Cursors(cursor),
    fileLinks: new FileLinks(fileLink),
    devices: new KnownDevices(device),
    bootstrapped: await bootstrap(store, config, clock.now()),
  }
}

/** The secrets of this deployment. They are created in one transaction in a new database. */
function ensureSecrets(database: Database): Promise<Readonly<Record<'cursor' | 'fileLink' | 'device', Buffer>>> {
  return database.write(async (db) => {
    const secret = async (name: string): Promise<Buffer> =>
      Buffer.from(await ensureInstanceValue(db, name, random.bytes(32).toString('base64')), 'base64')
    return {
      cursor: await secret('cursor secret'),
      fileLink: await secret('file link secret'),
      device: await secret('device secret'),
    }
  })
}
