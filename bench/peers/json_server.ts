import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheFolder } from '../databases/prepare.ts'
import { launch } from '../processes/launch.ts'
import { install } from './install.ts'
import { LISTED, type MissingPeer, type Peer, type PeerContent } from './peer.ts'

const VERSION = '0.17.4'
const NAME = `json-server ${VERSION}`

/** json-server on a file of records, run as its command runs it, without its log. */
export async function startJsonServer({ records, listed }: PeerContent): Promise<Peer | MissingPeer> {
  const root = join(cacheFolder, `json-server-${VERSION}`)
  const script = 'node_modules/json-server/lib/cli/bin.js'
  const why = existsSync(join(root, script))
    ? undefined
    : await install(NAME, 'npm', ['install', '--prefix', root, '--no-save', '--ignore-scripts', `json-server@${VERSION}`])
  if (why !== undefined) return { name: NAME, why }
  const folder = join(cacheFolder, `json-server-${process.pid}`)
  const file = join(folder, 'records.json')
  await mkdir(folder, { recursive: true })
  await writeFile(file, JSON.stringify({ records: records.map((record, index) => ({ id: index + 1, ...record })) }))
  const running = await launch({
    root,
    script,
    arguments: (port) => ['--quiet', '--host', '127.0.0.1', '--port', String(port), file],
    readyPath: '/records/1',
    readyStatus: 200,
  })
  const body = JSON.stringify({ ...records[0], position: records.length })
  return {
    name: NAME,
    does: {
      checks: 'nothing',
      writes: 'all its records into one file, again for each',
      flushes: 'nothing',
    },
    running,
    requests: {
      get: () => records.map((_record, index) => ({ method: 'GET', path: `/records/${index + 1}` })),
      list: () => [{ method: 'GET', path: `/records?parent=${listed}&_sort=position&_limit=${LISTED}` }],
      create: () => [{ method: 'POST', path: '/records', body }],
    },
    async stop() {
      await running.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
