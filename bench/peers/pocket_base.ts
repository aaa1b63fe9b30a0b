import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cacheFolder } from '../databases/prepare.ts'
import { launch } from '../processes/launch.ts'
import { chunks } from '../../server/kernel/yield_to_event_loop.ts'
import { install } from './install.ts'
import { LISTED, type MissingPeer, type Peer, type PeerContent } from './peer.ts'

/** The newest version whose `go` directive requires at most Go 1.25. */
const VERSION = '0.36.8'
const NAME = `PocketBase ${VERSION}`
/** The module's name for its ready-made server. */
const PROGRAM = 'base'
const EMAIL = 'bench@example.com'
const PASSWORD = 'a password of the bench'
const RECORDS_AT_ONCE = 8

/** Readers and writers are authenticated users, and a rule allows each request. */
const RULE = '@request.auth.id != ""'
const COLLECTION = {
  name: 'blocks',
  type: 'base',
  listRule: RULE,
  viewRule: RULE,
  createRule: RULE,
  fields: [
    { name: 'parent', type: 'text' },
    { name: 'position', type: 'number' },
    { name: 'type', type: 'text' },
    { name: 'content', type: 'json' },
    { name: 'created', type: 'autodate', onCreate: true },
    { name: 'updated', type: 'autodate', onCreate: true, onUpdate: true },
  ],
  indexes: ['create index blocks_in_order on blocks (parent, position)'],
}
const RECORDS = '/api/collections/blocks/records'

/** PocketBase with a collection of the records, built from its Go module, without its request log. */
export async function startPocketBase({ records, listed }: PeerContent): Promise<Peer | MissingPeer> {
  const root = join(cacheFolder, `pocketbase-${VERSION}`)
  const module = `github.com/pocketbase/pocketbase/examples/${PROGRAM}@v${VERSION}`
  const why = existsSync(join(root, PROGRAM))
    ? undefined
    : await install(NAME, 'go', ['install', module], { GOBIN: root, CGO_ENABLED: '0' })
  if (why !== undefined) return { name: NAME, why }
  // PocketBase stores its schema of the collections beside its data.
  const folder = join(cacheFolder, `pocketbase-${process.pid}`)
  const data = join(folder, 'data')
  await promisify(execFile)(join(root, PROGRAM), ['superuser', 'upsert', EMAIL, PASSWORD, `--dir=${data}`])
  const running = await launch({
    root,
    script: PROGRAM,
    isProgram: true,
    arguments: (port) => ['serve', `--http=127.0.0.1:${port}`, `--dir=${data}`],
    readyPath: '/api/health',
    readyStatus: 200,
  })
  const [headers, ids] = await fill(running.url, records)
  const parent = encodeURIComponent(`parent='${listed}'`)
  const body = JSON.stringify({ ...records[0], position: records.length })
  return {
    name: NAME,
    does: {
      checks: 'the token of a user, a rule on it, and types of fields',
      writes: 'a row with one key and one index',
      flushes: 'with a later checkpoint, not before it responds',
    },
    running,
    requests: {
      get: () => ids.map((id) => ({ method: 'GET', path: `${RECORDS}/${id}`, headers })),
      list: () => [{ method: 'GET', path: `${RECORDS}?filter=${parent}&sort=position&perPage=${LISTED}&skipTotal=1`, headers }],
      create: () => [{ method: 'POST', path: RECORDS, headers, body }],
    },
    async stop() {
      await running.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

type Headers = Readonly<Record<string, string>>

/** @returns headers of a user, and ids of the records */
async function fill(url: string, records: PeerContent['records']): Promise<[headers: Headers, ids: readonly string[]]> {
  const login = { identity: EMAIL, password: PASSWORD }
  const tokenOf = async (collection: string): Promise<Headers> => {
    const { token } = await send(url, 'POST', `/api/collections/${collection}/auth-with-password`, login, {})
    return { Authorization: String(token) }
  }
  const superuser = await tokenOf('_superusers')
  await send(url, 'PATCH', '/api/settings', { logs: { maxDays: 0 } }, superuser)
  await send(url, 'POST', '/api/collections', COLLECTION, superuser)
  const user = { email: EMAIL, password: PASSWORD, passwordConfirm: PASSWORD }
  await send(url, 'POST', '/api/collections/users/records', user, superuser)
  const ids: string[] = []
  for (const some of chunks(records, RECORDS_AT_ONCE)) {
    const made = await Promise.all(some.map((record) => send(url, 'POST', RECORDS, record, superuser)))
    ids.push(...made.map(({ id }) => String(id)))
  }
  return [await tokenOf('users'), ids]
}

async function send(url: string, method: string, path: string, body: object, headers: Headers): Promise<Record<string, unknown>> {
  const response = await fetch(url + path, {
    method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} of ${NAME} returned ${response.status}: ${text.slice(0, 500)}`)
  return JSON.parse(text) as Record<string, unknown>
}
