import { execFile, spawn } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { children } from '../harness/content.ts'
import { png } from '../harness/files.ts'
import { at } from '../harness/json.ts'
import { makeClient } from '../harness/oauth.ts'
import { freePort, until } from '../harness/process.ts'
import { startTestServer, TOKEN, type TestServer } from '../harness/server.ts'
import { packedService } from './packed_service.ts'
import { inLongRuns } from '../harness/long_runs.ts'

// Runs every code block of the documents as pasted, in a separate folder, with the machine's npm and, unless the text requires a newer one,
// its Node. Only versions from registries are pinned, to the project's own.

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')
/** Without the project's own programs, so that `node` and `npm` are the machine's. */
const readersPath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((path) => !path.includes('node_modules'))
  .join(delimiter)
const PINNED = ['express', 'vitest', '@aws-sdk/client-s3', '@aws-sdk/lib-storage', '@redis/client']

let folder: string
let server: TestServer
/** Blocks that no test has run yet, by file. */
const left = new Map<string, string[]>()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'readme-'))
  for (const file of ['README.md', 'PACKAGE.md', 'client/README.md']) {
    const text = await readFile(join(root, file), 'utf8')
    left.set(
      file,
      [...text.matchAll(/^```\w+\n(.+?)^```$/gms)].map(([, code = '']) => code),
    )
  }
  // For texts that require a newer Node than some machines have.
  await mkdir(join(folder, 'bin'))
  await symlink(process.execPath, join(folder, 'bin/node'))
  server = await startTestServer()
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Takes the code block that contains a text. */
function take(file: string, part: string): string {
  const blocks = left.get(file) ?? []
  const found = blocks.filter((code) => code.includes(part))
  if (found.length !== 1) throw new Error(`${found.length} blocks of ${file} that no test has run contain ${part}`)
  left.set(
    file,
    blocks.filter((code) => !found.includes(code)),
  )
  return found[0] ?? ''
}

interface Environment {
  readonly isNewNode?: boolean
  readonly settings?: Readonly<Record<string, string>>
}

function environment({ isNewNode = false, settings = {} }: Environment = {}): NodeJS.ProcessEnv {
  // Variables that the registry needs, such as certificates of a proxy, without those that mark a test run.
  const own = Object.entries(process.env).filter(([name]) => !/^(?:VITEST|NODE_ENV$|NODE_OPTIONS$|TEST$)/.test(name))
  return {
    ...Object.fromEntries(own),
    PATH: isNewNode ? `${join(folder, 'bin')}${delimiter}${readersPath}` : readersPath,
    NO_COLOR: '1',
    TOKEN,
    SERVICE: server.url,
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    ...settings,
  }
}

async function shell(commands: string, cwd: string, options: Environment = {}): Promise<string> {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  ) as Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Record<string, string>>
  const versions = { ...dependencies, ...devDependencies, ...optionalDependencies }
  const pinned = PINNED.reduce(
    (text, name) => text.replaceAll(new RegExp(` ${name}(?=\\s)`, 'g'), ` ${name}@${versions[name]}`),
    commands,
  )
  return (await run('sh', ['-euc', pinned], { cwd, env: environment(options) })).stdout
}

/**
 * Saves the block with this path in its first line.
 * @returns the name of the file
 */
async function save(file: string, path: string, into: string): Promise<string> {
  const name = path.split('/').at(-1) ?? ''
  await writeFile(join(into, name), take(file, `// ${path}\n`))
  return name
}

/**
 * Starts a program and waits until its output matches.
 * @returns the match
 */
async function started(
  command: string,
  cwd: string,
  match: RegExp,
  options: Environment,
): Promise<{ match: string; kill(): void }> {
  const child = spawn('sh', ['-euc', command], { cwd, env: environment(options), detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise((done) => child.once('close', done))
  const found = await Promise.race([until(async () => match.exec(output)?.[1]), ended.then(() => undefined)])
  if (found === undefined) throw new Error(output)
  return { match: found, kill: () => void process.kill(-(child.pid ?? 0), 'SIGTERM') }
}

it('the first requests in the README create a page with nested blocks and read it', async () => {
  const commands = take('README.md', 'export TOKEN=…')
    .replace(/^export TOKEN=.*$/m, '')
    .replaceAll('http://127.0.0.1:4000', server.url)
  const { results } = JSON.parse(await shell(commands, folder)) as { results: { type: string }[] }
  expect(results.map(({ type }) => type)).toEqual(['heading_2', 'toggle', 'table'])
})

describe('the packed client', () => {
  beforeAll(() =>
    run('npm', ['pack', '--silent', '-w', '@workspace-service/client', '--pack-destination', folder], { cwd: root }),
  )

  it('is installed into an empty folder and lists blocks, as in the README', async () => {
    const commands = take('README.md', 'npm pack -w @workspace-service/client')
    await shell(commands.replace(/^npm pack .+\n/, ''), folder)
    const tides = join(folder, 'tides')
    const program = await save('README.md', 'tides/blocks.mjs', tides)
    const { stdout, stderr } = await run('node', [program], { cwd: tides, env: environment() })
    expect(stdout).toMatch(/^(?:\w+ [0-9a-f-]{36}\n)+$/)
    expect(stderr).toBe('')
  })

  it('runs the examples of its README as one program, which uploads a picture', async () => {
    const tour = join(folder, 'tour')
    await mkdir(tour)
    const install = take('client/README.md', 'npm install ./workspace-service-client').replace('./', '../')
    await shell(install, tour)
    const code = (left.get('client/README.md') ?? []).join('')
    left.set('client/README.md', [])
    await writeFile(join(tour, 'tour.mts'), code)
    await writeFile(join(tour, 'dock.png'), png)
    const made = await makeClient(server)
    const settings = { CLIENT_ID: made.clientId, CLIENT_SECRET: made.clientSecret }
    const { stdout } = await run('node', ['tour.mts'], { cwd: tour, env: environment({ isNewNode: true, settings }) })
    // Provisional states are only visible to callers who look in time.
    const lines = stdout
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('… '))
    expect(lines).toEqual([
      'Check the sill false',
      expect.stringMatching(/^[0-9a-f-]{36} .+ [0-9a-f-]{36}$/),
      'true',
      'true undefined',
      'true 1',
      '- [ ] Check the **sill** 0',
      expect.stringMatching(/^[0-9a-f-]{36}$/),
      expect.stringContaining('Not there, or not shared: '),
      expect.stringContaining('Create the page Bolts'),
      'completed',
      expect.stringContaining(`${server.url}/v1/oauth/authorize?client_id=${made.clientId}`),
    ])
    const blocks = await children(server.owner, lines[6] ?? '')
    expect(blocks.map((block) => at(block, 'image', 'type'))).toContain('file')
  })
})

describe('the packed service', () => {
  const inMemory = { isNewNode: true, settings: { PORT: '0', DATABASE_URL: 'sqlite::memory:', BOOTSTRAP_TOKEN: TOKEN } }
  const LISTENS = /listens on (\S+)/

  beforeAll(async () => {
    await copyFile(await packedService(), join(folder, 'workspace-service-0.1.0.tgz'))
  })

  async function expectService(address: string): Promise<void> {
    const headers = { Authorization: `Bearer ${TOKEN}`, 'Service-Version': '2026-03-11' }
    expect(await (await fetch(`${address}/v1/users/me`, { headers })).json()).toMatchObject({ object: 'user', type: 'bot' })
  }

  it('is run by npx, as in the README', async () => {
    const service = await started(take('README.md', 'npx --yes ./workspace-service'), folder, LISTENS, inMemory)
    await expectService(service.match)
    service.kill()
  })

  it("has a router that calls the reader's handlers, as in PACKAGE", async () => {
    await shell(take('PACKAGE.md', 'mkdir members'), folder, { isNewNode: true })
    const members = join(folder, 'members')
    const name = await save('PACKAGE.md', 'members/router.mjs', members)
    const port = await freePort()
    await writeFile(join(members, name), (await readFile(join(members, name), 'utf8')).replace('4001', String(port)))
    const backend = await started('node router.mjs', members, /^not implemented: (\d+)\n/, { isNewNode: true })
    const id = '6794760a-1f15-45cd-9c65-0dfe42f5135a'
    const headers = { Authorization: 'Bearer door-key', 'Service-Version': '2026-03-11' }
    // The example prints before it listens.
    const response = await until(() => fetch(`http://127.0.0.1:${port}/v1/users/${id}`, { headers }).catch(() => undefined))
    expect(await response.json()).toMatchObject({ object: 'user', id, name: 'Ines' })
    backend.kill()
  })

  inLongRuns(it)('passes the first test in PACKAGE', async () => {
    await shell(take('PACKAGE.md', 'mkdir boats'), folder, { isNewNode: true })
    const boats = join(folder, 'boats')
    await save('PACKAGE.md', 'boats/tide.test.ts', boats)
    expect(await shell('npx vitest run', boats, { isNewNode: true })).toMatch(/Tests +1 passed/)
  })

  inLongRuns(it)('installs, serves, runs in a program, and adds the clients of S3 and Redis, as in PACKAGE', async () => {
    const own = join(folder, 'own')
    await mkdir(own)
    await run('cp', [join(folder, 'workspace-service-0.1.0.tgz'), own])
    const service = await started(take('PACKAGE.md', 'npm install ./workspace-service'), own, LISTENS, inMemory)
    await expectService(service.match)
    service.kill()

    const name = await save('PACKAGE.md', 'own.mts', own)
    const { stdout } = await run('node', [name], { cwd: own, env: environment({ isNewNode: true }) })
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/m)

    await shell(take('PACKAGE.md', 'npm install @aws-sdk'), own, { isNewNode: true })
    const settings = { ...inMemory.settings, REDIS_URL: 'redis://127.0.0.1:1', FILES_URL: 's3://key:secret@bucket' }
    const doctor = await shell('npx --no -- workspace-service doctor || true', own, { isNewNode: true, settings })
    expect(doctor).not.toContain('is not installed')
  })
})

// `npm ci` and `npm test` run this test, and the other tests run `npm start`, which would render the whole reference first.
inLongRuns(it)('every code block of the documents is run by a test', () => {
  expect([...left].filter(([, blocks]) => blocks.length > 0)).toEqual([['README.md', ['npm ci\nnpm start\n', 'npm test\n']]])
})
