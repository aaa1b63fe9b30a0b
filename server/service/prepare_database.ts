import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { bootstrap, type Bootstrapped } from '../bootstrap/bootstrap.ts'
import type { Config } from '../config.ts'
import { KnownDevices } from '../domain/people/devices.ts'
import { type Clock } from '../kernel/clock.ts'
import { Cursors } from '../kernel/cursors.ts'
import { FileLinks } from '../kernel/file_links.ts'
import type { Database } from '../store/database.ts'
import { settleInstanceValue } from '../store/instance.ts'
import { migrate } from '../store/migrations.ts'
import { reportWaits } from '../store/report_waits.ts'

/** Brings the database to the newest schema and gives an empty one its first records. */
export async function prepareDatabase(
  database: Database,
  config: Config,
  clock: Clock,
  log: Logger,
): Promise<{ bootstrapped: Bootstrapped; cursors: Cursors; fileLinks: FileLinks; devices: KnownDevices }> {
  const store = reportWaits(database, () => log.info('another process is preparing the database; this one waits for it'))
  await migrate(store)
  const secret = async (name: string): Promise<Buffer> =>
    Buffer.from(await database.write((db) => settleInstanceValue(db, name, randomBytes(32).toString('base64'))), 'base64')
  return {
    cursors: new Cursors(await secret('cursor secret')),
    fileLinks: new FileLinks(await secret('file link secret')),
    devices: new KnownDevices(await secret('device secret')),
    bootstrapped: await bootstrap(store, config, clock.now()),
  }
}
