import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { someRows } from '../harness/long_runs.ts'
import { frames, turn } from '../client/session_stand_in.ts'
import { startStandIn } from '../client/stand_in.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')

const USES = `
import { ApiError, createWorkspaceClient, verifyWebhook, type Block, type Session } from '@workspace-service/client'
import { createFetchClient } from '@workspace-service/client/fetch'

const service = createWorkspaceClient({ baseUrl: 'http://127.0.0.1:4000', token: 't' })
export async function firstLine(page_id: string): Promise<string | undefined> {
  for await (const block of service.blocks.children.list({ block_id: page_id })) {
    if ('type' in block && block.type === 'paragraph') return block.paragraph.rich_text[0]?.plain_text
  }
  return undefined
}
export const isBlock = (value: Block): string => value.type
export const codeOf = (error: unknown): string | undefined => (error instanceof ApiError ? error.code : undefined)

// @ts-expect-error the path is required
await service.blocks.retrieve({})
// @ts-expect-error there is no such color
await service.blocks.children.append({ block_id: '', children: [{ paragraph: { rich_text: [], color: 'pinkish' } }] })
// @ts-expect-error this operation is no list
service.users.me.retrieve().pages()
// @ts-expect-error nothing is written here, so there is no key
await service.users.me.retrieve({}, { idempotencyKey: 'k' })
const { data, headers } = await service.users.me.retrieve().withResponse()
export const seen: [string, string | null] = [data.id, headers.get('RateLimit')]

export const session: Session = await service.sessions.create({ message: 'Hello' })
for await (const frame of service.sessions.stream({ message: 'Hello' })) {
  if (frame.type === 'event.committed' && frame.event.type === 'session.status') console.log(frame.event.usage?.total_tokens)
  // @ts-expect-error a provisional event has no number yet
  if (frame.type === 'event.provisional') console.log(frame.event.sequence)
  // @ts-expect-error the client deals with this itself
  if (frame.type === 'stream.timeout') break
}
const bare = createFetchClient({ baseUrl: 'http://127.0.0.1:4000', token: 't' })
const { data: me, error } = await bare.GET('/v1/users/me')
if (error === undefined) console.log(me.id)
// @ts-expect-error the path is required
await bare.GET('/v1/pages/{page_id}', {})

// @ts-expect-error this operation has no stream
service.users.stream({})

const batch = await service.finished(await service.agents.batch.create({ operations: [] }))
if (batch.object === 'agent_batch_result') console.log(batch.results.map(({ outcome }) => outcome))

const received = await verifyWebhook('{}', new Headers(), undefined)
if (received.type === 'verification') console.log(received.verification_token)
else if (received.type === 'view.updated') console.log(received.data.updated_fields.includes('sorts'))
else if (received.type === 'file_upload.created') console.log(received.entity.id)
// @ts-expect-error an event has no token
else console.log(received.verification_token)
`

const ENVIRONMENT = 'declare const process: { readonly env: Readonly<Record<string, string | undefined>> }'

/** The package in a context with the features that browsers and edge runtimes share, and none of Node.js. */
const WITHOUT_NODE = `
import { readFileSync } from 'node:fs'
import { createContext, SourceTextModule } from 'node:vm'
const shared = { AbortController, AbortSignal, Blob, btoa, clearTimeout, console, crypto, fetch, FormData, Headers, ReadableStream,
  Request, Response, setTimeout, TextDecoder, TextEncoder, URL, URLSearchParams }
const context = createContext(shared)
const modules = new Map()
const urlOf = (name, { identifier }) => (/^[.]/.test(name) ? new URL(name, identifier).href : import.meta.resolve(name))
async function load(url) {
  const known = modules.get(url)
  if (known) return known
  const made = new SourceTextModule(readFileSync(new URL(url), 'utf8'), { context, identifier: url, importModuleDynamically })
  modules.set(url, made)
  return made
}
const link = (name, from) => load(urlOf(name, from))
async function importModuleDynamically(name, from) {
  const made = await load(urlOf(name, from))
  if (made.status === 'unlinked') await made.link(link)
  if (made.status === 'linked') await made.evaluate()
  return made
}
const main = new SourceTextModule(process.argv[2], { context, identifier: import.meta.url })
await main.link(link)
await main.evaluate()
`

/** A client developer's first steps: install the package into an empty project and compile against it with the strictest settings. */
describe('npm pack of the client', () => {
  let project: string

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), 'client-package-'))
    await run('npm', ['pack', '--silent', '--pack-destination', project], { cwd: join(root, 'client') })
    const archive = (await readdir(project)).find((name) => name.endsWith('.tgz')) ?? ''
    const modules = join(project, 'node_modules')
    await mkdir(join(modules, '@workspace-service/client'), { recursive: true })
    await run('tar', ['-xzf', join(project, archive), '--strip-components=1', '-C', join(modules, '@workspace-service/client')])
    // Packages that an install would download: the dependencies and their own dependencies.
    for (const name of ['openapi-fetch', 'openapi-typescript-helpers', 'eventsource-parser'])
      await cp(join(root, 'node_modules', name), join(modules, name), { recursive: true })
    await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module', private: true }))
    await writeFile(join(project, 'uses.ts'), USES)
    const examples = [...(await readFile(join(root, 'client/README.md'), 'utf8')).matchAll(/```ts\n(.+?)```/gs)].map(
      ([, text]) => text,
    )
    await writeFile(join(project, 'readme.ts'), `${examples.join('')}\n${ENVIRONMENT}`)
    const options = {
      strict: true,
      module: 'nodenext',
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.asynciterable'],
      noEmit: true,
      skipLibCheck: false,
      types: [],
    }
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['uses.ts', 'readme.ts'] }))
  }, 240_000) // The package is compiled twice, for both kinds of modules.
  afterAll(() => rm(project, { recursive: true, force: true }))

  it.each(someRows(['typescript-native', 'typescript']))(
    'type-checks strictly in an empty project, with the examples of its README: %s',
    async (name) => {
      const compiler = join(root, 'node_modules', name, 'bin/tsc')
      await expect(run(process.execPath, [compiler, '-p', '.'], { cwd: project })).resolves.toMatchObject({ stdout: '' })
    },
  )

  it('contains code, types, license and README, and no sources', async () => {
    const files = await readdir(join(project, 'node_modules/@workspace-service/client'), { recursive: true })
    expect(files).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'dist/client/src/index.js', 'dist/client/src/index.d.ts']),
    )
    expect(files.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))).toEqual([])
  })

  it('follows a session and verifies an event without any API of Node', async () => {
    const standIn = await startStandIn()
    standIn.play(
      frames(turn.slice(0, 5), (response) => void response.destroy()),
      frames(turn),
    )
    const script = `import { createWorkspaceClient, verifyWebhook } from '@workspace-service/client'
      if ('process' in globalThis || 'Buffer' in globalThis) throw new Error('this is Node')
      const service = createWorkspaceClient({ baseUrl: '${standIn.url}', token: 't', firstWaitMilliseconds: 0 })
      const { events } = await service.sessions.stream({ message: 'Hello' }).collect()
      const signature = 'sha256=385afc31582edc482ed695efee3fd716ac26572b1d9c3c9aed670c4589b28373'
      const body = '{"id":"5b0f5f6e-1f0a-4a3e-9a4e-8c2d6c1b7a10","type":"page.created"}'
      const token = 'secret_4kTqZ8mVb2Xn7RcYp1LsWd9Hf3GjUa6EoQiKyMtBvNx'
      const bytes = new TextEncoder().encode(body)
      const { type } = await verifyWebhook(bytes.buffer, new Headers({ 'X-Service-Signature': signature }), token)
      const refused = await verifyWebhook(body + ' ', signature, token).catch((error) => error.code)
      console.log(events.length, type, refused)`
    await writeFile(join(project, 'without_node.mjs'), WITHOUT_NODE)
    const options = ['--experimental-vm-modules', '--no-warnings', 'without_node.mjs', script]
    const { stdout } = await run(process.execPath, options, { cwd: project }).finally(() => standIn.stop())
    expect(standIn.requests).toHaveLength(2)
    expect(stdout).toBe('6 page.created wrong_signature\n')
  })

  it('can be loaded by require, with types', async () => {
    const program = `import { createWorkspaceClient, ApiError, type PageObject } from '@workspace-service/client'
      import { createFetchClient } from '@workspace-service/client/fetch'
      export const titles = async (page_id: string): Promise<PageObject['properties'] | undefined> => {
        const page = await createWorkspaceClient({ baseUrl: 'http://127.0.0.1:9' }).pages.retrieve({ page_id })
        return 'properties' in page ? page.properties : undefined
      }
      console.log([createWorkspaceClient, createFetchClient, ApiError].map((value) => typeof value).join(' '))`
    await writeFile(join(project, 'uses.cts'), program)
    const config = { extends: './tsconfig.json', compilerOptions: { noEmit: false }, files: ['uses.cts'] }
    await writeFile(join(project, 'tsconfig.require.json'), JSON.stringify(config))
    const command = [join(root, 'node_modules/typescript-native/bin/tsc'), '-p', 'tsconfig.require.json']
    await expect(run(process.execPath, command, { cwd: project })).resolves.toMatchObject({ stdout: '' })
    const { stdout } = await run(process.execPath, ['uses.cjs'], { cwd: project })
    expect(stdout).toBe('function function function\n')
  })

  // If you are here because a program has become larger: move what few programs need into a function of its own, which bundlers leave out.
  it.each([
    ['client', `createWorkspaceClient({ baseUrl: '/', token: 't' }).users.me.retrieve()`, 12_000],
    ['client/fetch', `createFetchClient({ baseUrl: '/', token: 't' }).GET('/v1/users/me')`, 6_100],
  ])('adds little to a program with one call: %s', async (name, call, bytes) => {
    const file = join(project, `${name.replace('/', '_')}_size.mjs`)
    await writeFile(file, `import { ${call.split('(')[0]} } from '@workspace-service/${name}'\nawait ${call}`)
    const bundle = await rolldown({ input: file, platform: 'browser' })
    const { output } = await bundle.generate({ minify: true })
    await bundle.close()
    // Without the chunks that are loaded later.
    const first = output.filter(
      (chunk) => chunk.type === 'chunk' && (chunk.isEntry || output[0].imports.includes(chunk.fileName)),
    )
    const code = first.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('')
    expect(gzipSync(code, { level: 9 }).length).toBeLessThan(bytes)
  })

  it('runs in plain Node', async () => {
    const script = `import { createWorkspaceClient } from '@workspace-service/client'
      const client = createWorkspaceClient({ baseUrl: 'http://127.0.0.1:9', token: 't', retries: 0 })
      await client.users.me.retrieve().catch((error) => console.log(error.name))`
    await writeFile(join(project, 'run.mjs'), script)
    await expect(run(process.execPath, ['run.mjs'], { cwd: project })).resolves.toMatchObject({ stdout: 'ConnectionError\n' })
  })
})
