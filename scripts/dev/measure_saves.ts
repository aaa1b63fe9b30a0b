/** Measures the delays of a save: in a copy of the tree, with `npm run dev` as designers start it. */

import { spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { newestRelease } from '../../generated/operations.ts'
import { projectRoot } from '../generate/files.ts'
import { linkModules, workspaces } from '../workspaces.ts'

const PARTS = ['spec', 'scripts', 'generated', ...workspaces, 'bin']
const FILES = ['package.json', 'tsconfig.json', '.spectral.js', 'redocly.yaml']
/** Every list uses this schema, so a change to it has many effects. */
const SAVED = 'spec/shared/schemas/PageSizeRequest.yaml'
const PAGE = 'objects/PageSizeRequest.html'
const POLL_MS = 20
/** The first generation alone took longer than a minute on a busy machine. */
const WAIT_MS = 180_000
/** Characters of the output of `npm run dev` that the error of a timeout shows. */
const TAIL_LENGTH = 2000

/** Milliseconds from a save until each of these tools has applied it. */
export interface SaveTimes {
  readonly lint: number
  readonly page: number
  readonly mock: number
  readonly service: number
}

/**
 * Saves a limit repeatedly.
 * @param report called after each save
 */
export async function measureSaves(count: number, report: (times: SaveTimes) => void): Promise<void> {
  const folder = await copyOfTree()
  const dev = spawn(process.execPath, [join(folder, 'scripts/dev.ts'), ...ports], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((done) => dev.once('exit', done))
  let output = ''
  dev.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  const latest = (pattern: RegExp): string | undefined => [...output.matchAll(pattern)].at(-1)?.[1]
  const from = (program: string): string | undefined => latest(program === 'mock' ? /mock is ready: (\S+)/g : /listens on (\S+)/g)
  const until = async (isDone: () => boolean | Promise<boolean>): Promise<void> => {
    const started = performance.now()
    while (!(await isDone())) {
      if (performance.now() - started > WAIT_MS)
        throw new Error(`\`npm run dev\` did not finish within ${WAIT_MS / 1000} s:\n${output.slice(-TAIL_LENGTH)}`)
      await pause(POLL_MS)
    }
  }
  try {
    await until(() => from('mock') !== undefined && from('service') !== undefined)
    const token = latest(/Token for the service[^:]*: (\S+)/g)
    if (token === undefined) throw new Error(`\`npm run dev\` printed no token:\n${output.slice(-TAIL_LENGTH)}`)
    for (let round = 1; round <= count; round += 1) {
      const limit = 100 - round
      const saved = performance.now()
      const lengthBefore = output.length
      await save(folder, limit, `Saved ${round} times.`)
      const after = async (isDone: () => boolean | Promise<boolean>): Promise<number> => {
        await until(isDone)
        return performance.now() - saved
      }
      const [lint, page, mock, service] = await Promise.all([
        after(() => /Lint: .*\n[\d:]+ {2}/.test(output.slice(lengthBefore))),
        after(async () => (await textOf(`${latest(/Reference: (\S+)/g)}/${PAGE}`)).includes(`Saved ${round} times.`)),
        after(async () => (await refusal(from('mock'), token)).includes(`≤ \`${limit}\``)),
        after(async () => (await refusal(from('service'), token)).includes(`≤ \`${limit}\``)),
      ])
      report({ lint, page, mock, service })
    }
  } finally {
    dev.kill()
    await ended
    await rm(folder, { recursive: true })
  }
}

const ports = ['--port', '0', '--mock-port', '0', '--service-port', '0']

async function copyOfTree(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'measured-dev-'))
  for (const part of [...PARTS, ...FILES]) await cp(join(projectRoot, part), join(folder, part), { recursive: true })
  linkModules(folder)
  return folder
}

async function save(folder: string, limit: number, remark: string): Promise<void> {
  const file = join(folder, SAVED)
  const text = await readFile(file, 'utf8')
  await writeFile(
    file,
    text.replace(/maximum: \d+/, `maximum: ${limit}`).replace(/(description: .*?)( Saved \d+ times\.)?$/m, `$1 ${remark}`),
  )
}

async function refusal(url: string | undefined, token: string): Promise<string> {
  const headers = { Authorization: `Bearer ${token}`, 'Service-Version': newestRelease }
  return textOf(`${url}/v1/users?page_size=1000`, headers)
}

/** Empty until the server responds. */
async function textOf(url: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  return fetch(url, { headers, signal: AbortSignal.timeout(WAIT_MS) }).then(
    (response) => response.text(),
    () => '',
  )
}
