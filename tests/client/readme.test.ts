import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { children } from '../harness/content.ts'
import { png } from '../harness/files.ts'
import { at } from '../harness/json.ts'
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

it('the README writes a page in Markdown with an uploaded picture, in under 15 lines', async () => {
  const [, code = ''] = /with a picture from your disk:\n\n```ts\n(.+?)```/s.exec(readFileSync('README.md', 'utf8')) ?? []
  expect(code.trim().split('\n').length).toBeLessThan(15)
  writeFileSync(join(folder, 'page.ts'), code)
  writeFileSync(join(folder, 'dock.png'), png)
  // The package as it is here, before it is built.
  const source = new URL('../../client/src/index.ts', import.meta.url).href
  writeFileSync(
    join(folder, 'resolve.mjs'),
    `import { registerHooks } from 'node:module'
     registerHooks({ resolve: (name, context, next) => next(name === '@workspace-service/client' ? '${source}' : name, context) })`,
  )
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', './resolve.mjs', 'page.ts'], {
    cwd: folder,
    env: { ...process.env, SERVICE: server.url, TOKEN },
  })
  const blocks = await children(server.owner, stdout.trim())
  expect(blocks.map((block) => block['type'])).toContain('image')
  expect(blocks.map((block) => at(block, 'image', 'type'))).toContain('file')
})
