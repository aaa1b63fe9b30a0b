/**
 * Watches the contract. After each save, it lints the contract and updates the reference, whose open pages reload. Then it generates the
 * files of the mock and the service and restarts both; the rest of `generated/` follows.
 *
 *     node scripts/dev.ts [--port 4020] [--mock-port 4010] [--service-port 4000] [--no-generate]
 */

import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { watch } from 'chokidar'
import { Generation } from './dev/generation.ts'
import { Program } from './dev/programs.ts'
import { Rounds } from './dev/rounds.ts'
import { reloadScript, startServer } from './dev/server.ts'
import { serviceSettings } from './dev/service_settings.ts'
import { LiveSite } from './dev/site.ts'
import { onTermination } from './on_termination.ts'
import { nameOf, projectRoot } from './generate/files.ts'
import { parseCommandLine } from './parse_command_line.ts'

const { values } = parseCommandLine(import.meta.filename, {
  allowNegative: true,
  options: {
    root: { type: 'string', default: join(projectRoot, 'spec/openapi.yaml') },
    out: { type: 'string', default: join(projectRoot, 'generated') },
    port: { type: 'string', default: '4020' },
    'mock-port': { type: 'string', default: '4010' },
    'service-port': { type: 'string', default: '4000' },
    generate: { type: 'boolean', default: true },
  },
})
const root = resolve(values.root)
const out = resolve(values.out)
const print = (text: string): void => console.log(text)
const generation = values.generate ? new Generation({ root, out, say: print, restart }) : undefined
const mock = new Program(
  'mock',
  ['--max-semi-space-size=1', join(projectRoot, 'scripts/mock.ts'), '--port', values['mock-port']],
  /mock is ready/,
)
// One token for the whole session, so that requests still work after a restart.
const token = process.env['BOOTSTRAP_TOKEN'] ?? `itk_${randomBytes(24).toString('hex')}`
const service = new Program(
  'service',
  [join(projectRoot, 'server/main.js')],
  /listens on/,
  serviceSettings(process.env, values['service-port'], token),
)

/** Cleanup, run at the end. */
const open: (() => unknown)[] = [() => generation?.end(), () => mock.end(), () => service.end()]
// Registered first, because npm may be stopped during loading.
onTermination(() => void Promise.all(open.map((close) => close())).then(() => process.exit()))

const assets = await mkdtemp(join(tmpdir(), 'dev-'))
open.push(() => rm(assets, { recursive: true, force: true }))
const site = await LiveSite.make(assets, reloadScript)
const server = await startServer(site, Number(values.port))
const rounds = new Rounds({
  root,
  site,
  say: print,
  read: () => generation?.begin(),
  shown: () => server.reload(),
})
// Watching begins before the first round, so that no change is missed.
const watcher = watch(dirname(root), { ignoreInitial: true, atomic: true }).on('all', () => rounds.changed())
await new Promise<void>((ready) => watcher.once('ready', ready))
open.push(
  () => rounds.end(),
  () => server.close(),
  () => watcher.close(),
)
await rounds.work()
console.log(`\nReference: http://127.0.0.1:${server.port}   watching ${nameOf(dirname(root))}/ …`)
if (values.generate) console.log(`Token for the service, for this session: ${token}`)

async function restart(): Promise<void> {
  await Promise.all([mock.restart(), service.restart()])
}
