/** `npm run dev` in a copy of the tree: the mock and the service restart after saves, and keep running while the contract has faults. */

import { spawn, type ChildProcess } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { newestRelease } from '../../generated/operations.ts'
import { scratchFolder } from '../harness/databases.ts'
import { projectRoot } from '../spec/support/files.ts'
import { linkModules, workspaces } from '../../scripts/workspaces.ts'

const PARTS = [
  'spec',
  'scripts',
  'generated',
  ...workspaces,
  'bin',
  'package.json',
  'tsconfig.json',
  '.spectral.js',
  'redocly.yaml',
]
const LIMIT = 'spec/shared/schemas/PageSizeRequest.yaml'
// On a busy machine, linting, generating and loading the contract twice takes minutes.
vi.setConfig({ testTimeout: 400_000 })
const WAIT = { timeout: 390_000, interval: 100 }

let folder = ''
let dev: ChildProcess
let output = ''

beforeAll(() => {
  folder = scratchFolder('dev-')
  for (const part of PARTS) cpSync(join(projectRoot, part), join(folder, part), { recursive: true })
  linkModules(folder)
  const ports = ['--port', '0', '--mock-port', '0', '--service-port', '0']
  dev = spawn(process.execPath, [join(folder, 'scripts/dev.ts'), ...ports], { cwd: folder })
  for (const stream of [dev.stdout, dev.stderr]) stream?.on('data', (text) => (output += text))
})
afterAll(async () => {
  const ended = new Promise((done) => dev.once('exit', done))
  dev.kill()
  await ended
})

/** The addresses of the mock and the service so far, oldest first. */
const mocks = (): string[] => [...output.matchAll(/The mock is ready: (\S+)/g)].map(([, url = '']) => url)
const services = (): string[] => [...output.matchAll(/listens on (\S+)/g)].map(([, url = '']) => url)

/** The status of a request for 100 users, and the message of an error. */
async function responseTo(url: string | undefined): Promise<unknown> {
  // The service has the same token after each restart.
  const token = /Token for the service, for this session: (\S+)/.exec(output)?.[1]
  const headers = { Authorization: `Bearer ${token}`, 'Service-Version': newestRelease }
  const response = await fetch(`${url}/v1/users?page_size=100`, { headers })
  const body = (await response.json()) as { readonly message?: string }
  return [response.status, body.message]
}

function save(change: (text: string) => string): void {
  const path = join(folder, LIMIT)
  const text = readFileSync(path, 'utf8')
  const changed = change(text)
  expect(changed).not.toBe(text)
  writeFileSync(path, changed)
}

async function started(times: number): Promise<void> {
  await vi.waitUntil(() => {
    if (output.includes('did not start')) throw new Error(output)
    return mocks().length === times && services().length === times
  }, WAIT)
}

it('npm run dev starts the mock and the service with the current contract', async () => {
  await started(1)
  for (const url of [mocks()[0], services()[0]]) expect(await responseTo(url)).toEqual([200, undefined])
})

it('npm run dev restarts the mock and the service with each saved contract', async () => {
  save((text) => text.replace('maximum: 100', 'maximum: 99'))
  await started(2)
  const refused = [400, expect.stringContaining('page_size should be ≤ `99`')]
  for (const url of [mocks()[1], services()[1]]) expect(await responseTo(url)).toEqual(refused)
  await expect(responseTo(services()[0])).rejects.toThrow()
})

it('npm run dev keeps the mock and the service running while the contract has faults, and reports this', async () => {
  save((text) => `${text}\n: [`)
  await vi.waitUntil(() => /PageSizeRequest\.yaml\n.*✖[^]*Lint: \d+ error/.test(output), WAIT)
  expect([mocks().length, services().length]).toEqual([2, 2])
  for (const url of [mocks()[1], services()[1]]) expect(await responseTo(url)).toMatchObject([400, expect.any(String)])
})
