import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')

const USES = `
import { ApiError, createWorkspaceClient, type Block } from '@workspace-service/client'

const service = createWorkspaceClient({ baseUrl: 'http://127.0.0.1:4000', token: 't' })
export async function firstLine(page_id: string): Promise<string | undefined> {
  for await (const block of service.each('listBlockChildren', { path: { block_id: page_id } })) {
    if ('type' in block && block.type === 'paragraph') return block.paragraph.rich_text[0]?.plain_text
  }
  return undefined
}
export const isBlock = (value: Block): string => value.type
export const codeOf = (error: unknown): string | undefined => (error instanceof ApiError ? error.code : undefined)

// @ts-expect-error the path is required
await service.retrieveBlock({})
// @ts-expect-error there is no such colour
await service.appendBlockChildren({ path: { block_id: '' }, body: { children: [{ paragraph: { rich_text: [], color: 'pinkish' } }] } })
// @ts-expect-error this operation is no list
service.each('retrieveMe')
// @ts-expect-error nothing is written here, so there is no key
await service.retrieveMe({ idempotencyKey: 'k' })
const { data, headers } = await service.withResponse('retrieveMe')
export const seen: [string, string | null] = [data.id, headers.get('RateLimit')]
`

const ENVIRONMENT = 'declare const process: { readonly env: Readonly<Record<string, string | undefined>> }'

/** What a client team does first: install the package into an empty project and compile against it, as strictly as they can. */
describe('npm pack of the client', () => {
  let project: string

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), 'client-package-'))
    await run('npm', ['pack', '--silent', '--pack-destination', project], { cwd: join(root, 'client') })
    const archive = (await readdir(project)).find((name) => name.endsWith('.tgz')) ?? ''
    const modules = join(project, 'node_modules')
    await mkdir(join(modules, '@workspace-service/client'), { recursive: true })
    await run('tar', ['-xzf', join(project, archive), '--strip-components=1', '-C', join(modules, '@workspace-service/client')])
    // What an install would fetch: the one dependency and what it depends on.
    for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
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
  })
  afterAll(() => rm(project, { recursive: true, force: true }))

  it('type-checks in an empty project in strict mode, with the examples of its readme', async () => {
    await expect(run(join(root, 'node_modules/.bin/tsc'), ['-p', '.'], { cwd: project })).resolves.toMatchObject({ stdout: '' })
  })

  it('holds code, types, licence and a readme, and no sources', async () => {
    const files = await readdir(join(project, 'node_modules/@workspace-service/client'), { recursive: true })
    expect(files).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'dist/client/src/index.js', 'dist/client/src/index.d.ts']),
    )
    expect(files.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))).toEqual([])
  })

  it('runs in a plain Node', async () => {
    const script = `import { createWorkspaceClient } from '@workspace-service/client'
      const client = createWorkspaceClient({ baseUrl: 'http://127.0.0.1:9', token: 't', retries: 0 })
      await client.retrieveMe().catch((error) => console.log(error.name))`
    await writeFile(join(project, 'run.mjs'), script)
    await expect(run(process.execPath, ['run.mjs'], { cwd: project })).resolves.toMatchObject({ stdout: 'ConnectionError\n' })
  })
})
