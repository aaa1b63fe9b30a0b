import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLongRun, someRows } from '../harness/long_runs.ts'
import { guideExample } from '../runners/guide_example.ts'
import { packedService } from './packed_service.ts'
import { isServedBy, specifiersIn, usesOf } from './uses.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')
const TOKEN = 'itk_of_the_test_run_0001'
/** Only the environment variables that a process needs to run. */
const environment = { PATH: process.env['PATH'], HOME: process.env['HOME'] }

/** A user's first steps: install the packed package into an empty folder, run it, and compile against it with the strictest settings. */
describe('npm pack of the service', () => {
  let project: string
  const installed = (): string => join(project, 'node_modules/workspace-service')

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), 'service-package-'))
    await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module', private: true }))
    // The packed package has no dependencies to download.
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', await packedService()], { cwd: project })
  })
  afterAll(() => rm(project, { recursive: true, force: true }))

  interface Served {
    readonly url: string
    readonly ended: Promise<unknown>
    output(): string
    kill(): void
  }

  async function serve(command: string, args: readonly string[]): Promise<Served> {
    const settings = { ...environment, DATABASE_URL: 'sqlite::memory:', PORT: '0', BOOTSTRAP_TOKEN: TOKEN }
    const child = spawn(command, args, { cwd: project, env: settings })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    // Waits for all processes that write to the output.
    const ended = new Promise((done) => child.once('close', (code, signal) => done({ code, signal })))
    const url = await new Promise<string>((found, fail) => {
      child.stdout.on('data', () => {
        const address = /listens on (\S+)/.exec(output)?.[1]
        if (address !== undefined) found(address)
      })
      void ended.then(() => fail(new Error(output)))
    })
    return { url, ended, output: () => output, kill: () => void child.kill('SIGTERM') }
  }

  it('contains the program, types, contract, reference and licenses, at most 300 files and 30 MB, and no build tools', async () => {
    const entries = await readdir(installed(), { recursive: true, withFileTypes: true })
    const files = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(installed(), join(parentPath, name)))
    for (const name of [
      'LICENSE',
      'THIRD_PARTY_LICENSES',
      'README.md',
      'OPERATIONS.md',
      'docs.pack',
      'SKILL.md',
      'console.pack',
      'cli/main.js',
      'contract/schemas.json',
    ])
      expect(files).toContain(name)
    expect(
      files.filter(
        (name) =>
          /(^|[^d])\.ts$|(^|\/)tests?[/.]|bench|\.map$/.test(name) && !name.endsWith('.d.ts') && !name.startsWith('contract/'),
      ),
    ).toEqual([])
    expect(await readdir(join(project, 'node_modules'))).toEqual(
      expect.not.arrayContaining(['express', 'pg', '@redis', '@aws-sdk', 'vitest']),
    )
    const { stdout } = await run('du', ['-sm', join(project, 'node_modules')])
    expect(Number.parseInt(stdout, 10)).toBeLessThanOrEqual(30)
    expect(files.length).toBeLessThanOrEqual(300)
    expect(await readFile(join(installed(), 'THIRD_PARTY_LICENSES'), 'utf8')).toMatch(
      /^express 5[\s\S]*Permission is hereby granted/m,
    )
  })

  it('passes publint', async () => {
    const { messages } = await publint({ pkgDir: installed(), strict: true, pack: false })
    expect(messages).toEqual([])
  })

  it('serves under its name, with the reference, until npx gets SIGTERM', async () => {
    const { url, kill, ended, output } = await serve('npx', ['--offline', 'workspace-service'])
    const headers = { Authorization: `Bearer ${TOKEN}`, 'Service-Version': '2026-03-11' }
    expect(await (await fetch(`${url}/v1/users/me`, { headers })).json()).toMatchObject({ object: 'user', type: 'bot' })

    const page = await fetch(`${url}/docs/objects/Page`)
    expect(page.headers.get('Content-Encoding')).toBe('gzip')
    expect(page.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
    expect(await page.text()).toMatch(/^<h1>Page<\/h1> {2000}$/)
    const plain = await fetch(`${url}/docs/`, { headers: { 'Accept-Encoding': 'identity' } })
    expect(plain.headers.get('Content-Encoding')).toBeNull()
    expect(plain.headers.get('Content-Security-Policy')).toContain("script-src 'self' 'sha256-")
    expect(await plain.text()).toContain('Reference')
    // Without this header, Node's fetch would force revalidation.
    const known = { 'If-None-Match': page.headers.get('ETag') ?? '', 'Cache-Control': 'max-age=0' }
    expect((await fetch(`${url}/docs/objects/Page`, { headers: known })).status).toBe(304)
    expect((await fetch(`${url}/docs/objects/Nothing`)).status).toBe(404)

    kill()
    await ended
    expect(output()).toContain('"stopped"')
    await expect(isFree(Number(new URL(url).port))).resolves.toBe(true)
  })

  it('exits with code 0 when the process gets SIGTERM directly', async () => {
    const { kill, ended } = await serve(join(project, 'node_modules/.bin/workspace-service'), ['serve'])
    kill()
    expect(await ended).toEqual({ code: 0, signal: null })
  })

  it('names the missing optional package that a setting requires', async () => {
    const settings = { ...environment, REDIS_URL: 'redis://127.0.0.1:1', FILES_URL: 's3://bucket' }
    const doctor = await run(process.execPath, [join(installed(), 'bin/workspace-service.cjs'), 'doctor'], {
      cwd: project,
      env: settings,
    }).catch((error: unknown) => error)
    const { stdout } = doctor as { readonly stdout: string }
    expect(stdout).toContain('REDIS_URL needs packages that are not installed. Run: npm install @redis/client')
    expect(stdout).toContain(
      'FILES_URL=s3://… needs packages that are not installed. Run: npm install @aws-sdk/client-s3 @aws-sdk/lib-storage',
    )
  })

  it('has each of its exports used by the next test', async () => {
    const text = await readFile(join(installed(), 'package.json'), 'utf8')
    const { exports } = JSON.parse(text) as { readonly exports: Readonly<Record<string, unknown>> }
    const used = specifiersIn(usesOf(TOKEN))
    expect(Object.keys(exports).filter((key) => !used.some((specifier) => isServedBy(key, specifier)))).toEqual([])
  })

  it('provides every export, with types for strict TypeScript, and works in plain Node', { timeout: 600_000 }, async () => {
    await mkdir(join(project, 'node_modules/@types'), { recursive: true })
    await symlink(join(root, 'node_modules/@types/node'), join(project, 'node_modules/@types/node'))
    await symlink(join(root, 'node_modules/@types/express'), join(project, 'node_modules/@types/express'))
    for (const tool of ['vitest', 'msw']) await symlink(join(root, 'node_modules', tool), join(project, 'node_modules', tool))
    const options = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noPropertyAccessFromIndexSignature: true,
      module: 'nodenext',
      target: 'es2024',
      resolveJsonModule: true,
      erasableSyntaxOnly: true,
      noEmit: true,
      skipLibCheck: false,
      types: ['node'],
    }
    const example = /```ts\n(.+?)```/s.exec(await readFile(join(installed(), 'README.md'), 'utf8'))?.[1] ?? ''
    await writeFile(join(project, 'readme.ts'), example)
    await writeFile(join(project, 'uses.ts'), usesOf(TOKEN))
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['uses.ts', 'readme.ts'] }))
    for (const name of isLongRun ? ['typescript', 'typescript-native'] : ['typescript-native']) {
      const compiler = join(root, 'node_modules', name, 'bin/tsc')
      const { stdout } = await run(process.execPath, [compiler, '-p', '.'], { cwd: project }).catch(
        (error: unknown) => error as { stdout: string },
      )
      expect(stdout, name).toBe('')
    }
    const { stdout } = await run(process.execPath, ['uses.ts'], { cwd: project, env: environment })
    expect(JSON.parse(stdout)).toEqual([
      'user',
      0,
      expect.any(Number),
      'retrievePage',
      '3.1.1',
      'PageObject',
      true,
      'comment',
      '3.1.1',
      '2022-06-28',
      'https://json-schema.org/draft/2020-12/schema',
      'https://json-schema.org/draft/2020-12/schema',
      [],
      'workspace-service',
    ])
    const required = `console.log(Object.keys(require('workspace-service')).join(), typeof require('workspace-service/server').createRouter)`
    const commonJs = await run(process.execPath, ['-e', required], { cwd: project })
    expect(commonJs.stdout).toBe('ConfigError,parseConfig,startService function\n')
  })

  const examples = [
    ['With the test runner of Node.js', ['--test']],
    ['Agents', ['--test']],
    ['With vitest', [join(root, 'node_modules/vitest/vitest.mjs'), 'run']],
    ['Fakes for Mock Service Worker', [join(root, 'node_modules/vitest/vitest.mjs'), 'run']],
  ] as const
  it.each(someRows(examples))('runs the example of the guide to testing: %s', async (heading, runner) => {
    await writeFile(join(project, 'tide.test.ts'), await guideExample(heading))
    const { stdout } = await run(process.execPath, [...runner, 'tide.test.ts'], { cwd: project, env: environment })
    expect(stdout).toMatch(/\bpass/)
  })

  it('is refused by an older Node with a one-line message', async () => {
    const old = `Object.defineProperty(process.versions, 'node', { value: '16.20.2' }); require('${join(installed(), 'bin/workspace-service.cjs')}')`
    const refused = await run(process.execPath, ['-e', old], { cwd: project }).catch((error: unknown) => error)
    expect(refused).toMatchObject({
      code: 1,
      stderr: 'error: workspace-service needs Node.js 22.18 or newer; this is 16.20.2.\n',
    })
    const { engines } = JSON.parse(await readFile(join(installed(), 'package.json'), 'utf8')) as { engines: { node: string } }
    expect(engines.node).toBe('>=22.18')
  })
})

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', () => done(false))
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)))
  })
}
