/**
 * Watches the contract. After each save, it lints the changes and updates the reference, whose open pages reload. Then a thread makes
 * what the mock and the service need of `generated/`, which are restarted then; the rest of it follows.
 *
 *     node scripts/dev.ts [--port 4020] [--mock-port 4010] [--service-port 4000] [--no-generate]
 */

import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { watch } from 'chokidar'
import { Generation, type News } from './dev/generation.ts'
import { Program } from './dev/programs.ts'
import { Rounds } from './dev/rounds.ts'
import { reloadScript, startServer } from './dev/server.ts'
import { serviceSettings } from './dev/service_settings.ts'
import { LiveSite } from './dev/site.ts'
import { onTermination } from './on_termination.ts'
import { nameOf, projectRoot } from './generate/files.ts'
import { Linter } from './lint/linter.ts'
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
const generation = values.generate ? new Generation({ root, out }, follow) : undefined
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

/** Whether the mock and the service run, with what is in `generated/`. */
let areRunning = false
/** How many of the files that the mock and the service start with have been written of late. */
let writtenFirst = 0
/** The news of the generation are followed one after the other. */
let following = Promise.resolve()
/** What to close at the end. */
const open: (() => unknown)[] = [() => generation?.end(), () => mock.end(), () => service.end()]
// Registered first, because npm may be stopped while the rest is still loading.
onTermination(() => void Promise.all(open.map((close) => close())).then(() => process.exit()))

const assets = await mkdtemp(join(tmpdir(), 'dev-'))
open.push(() => rm(assets, { recursive: true, force: true }))
const [linter, site] = await Promise.all([Linter.load(), LiveSite.make(assets, reloadScript)])
const server = await startServer(site, Number(values.port))
const rounds = new Rounds({
  root,
  linter,
  site,
  say: (text) => console.log(text),
  read: () => generation?.begin(),
  shown: () => server.reload(),
})
// Watching begins before the first round, so that no change is missed.
const watcher = watch(dirname(root), { ignoreInitial: true, atomic: true }).on('all', (_event, file) => rounds.changed(file))
await new Promise<void>((ready) => watcher.once('ready', ready))
open.push(
  () => rounds.end(),
  () => server.close(),
  () => watcher.close(),
)
await rounds.work()
console.log(`\nReference: http://127.0.0.1:${server.port}   watching ${nameOf(dirname(root))}/ …`)
if (values.generate) console.log(`Token for the service, for this session: ${token}`)
await rounds.warmUp()

/** Restarts the programs when what they read has changed, and tells what has become of the rest. */
function follow(news: News): void {
  following = following.then(async () => {
    switch (news.is) {
      case 'forPrograms':
        writtenFirst = news.written
        if (writtenFirst > 0 || !areRunning) await restart()
        return generation?.goOn()
      case 'all':
        console.log(
          `${writtenFirst + news.written} of ${news.count} files have changed in ${nameOf(out)}${removed(news.removed)}`,
        )
        // Files that they read when they are asked for them, and then keep.
        if (writtenFirst === 0 && news.written > 0) await restart()
        return
      case 'faults':
        areRunning = false // as `generated/` says
        console.log(`${news.faults.join('\n')}\n${nameOf(out)} is as it was before: the contract has faults.`)
    }
  })
}

function removed(count: number): string {
  return count === 0 ? '' : `, and ${count} were removed`
}

async function restart(): Promise<void> {
  areRunning = true
  await Promise.all([mock.restart(), service.restart()])
}
