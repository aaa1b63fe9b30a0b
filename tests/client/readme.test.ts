import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeClient, obtainCode } from '../harness/oauth.ts'
import { children } from '../harness/content.ts'
import { startTestServer, TOKEN, type TestServer } from '../harness/server.ts'

/** In the project, so that the package of the client is found as its users find it. */
const folder = mkdtempSync(join(import.meta.dirname, 'readme-'))
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await server.stop()
})

it('the README lists blocks of the demo workspace', async () => {
  const [, code = ''] = /\/\/ tides\/blocks\.mjs\n(.+?)```/s.exec(readFileSync('README.md', 'utf8')) ?? []
  const listed = (await run(code)).trim().split('\n')
  const blocks = await children(server.owner, '5df6f817-b099-4bcf-a0ec-6db25097c040')
  expect(listed).toEqual(blocks.map((block) => `${String(block['type'])} ${String(block['id'])}`))
  expect(blocks.length).toBeGreaterThan(3)
})

it('what the README of the client shows runs, from its first line to its last', async () => {
  const code = [...readFileSync('client/README.md', 'utf8').matchAll(/```ts\n(.+?)```/gs)].map(([, text]) => text).join('')
  const made = await makeClient(server)
  const environment = { CLIENT_ID: made.clientId, CLIENT_SECRET: made.clientSecret, CODE: await obtainCode(server, made) }
  const lines = (await run(code, environment)).trim().split('\n')
  // What is provisional is shown only where somebody looks in time.
  expect(lines.filter((line) => !line.startsWith('… '))).toEqual([
    'false',
    expect.stringMatching(/^[0-9a-f-]{36} .+ [0-9a-f-]{36}$/),
    expect.stringContaining('Not there, or not shared: '),
    expect.stringContaining('Create the page Bolts'),
    'completed',
    expect.stringContaining(`${server.url}/v1/oauth/authorize?client_id=${made.clientId}`),
    expect.stringMatching(/^[0-9a-f-]{36}$/),
  ])
})

/** Runs a script that imports the package as it is here, before it is built. @returns what it printed */
async function run(code: string, environment: Readonly<Record<string, string>> = {}): Promise<string> {
  writeFileSync(join(folder, 'script.ts'), code)
  const source = new URL('../../client/src/index.ts', import.meta.url).href
  writeFileSync(
    join(folder, 'resolve.mjs'),
    `import { registerHooks } from 'node:module'
     registerHooks({ resolve: (name, context, next) => next(name === '@workspace-service/client' ? '${source}' : name, context) })`,
  )
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', './resolve.mjs', 'script.ts'], {
    cwd: folder,
    env: { ...process.env, SERVICE: server.url, TOKEN, ...environment },
  })
  return stdout
}
