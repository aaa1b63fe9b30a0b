/** The programs in the guides: TypeScript compiles, and the signature checks distinguish genuine requests from forged ones. */

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { verifyWebhook } from '../../client/src/index.ts'
import { projectRoot } from '../spec/support/files.ts'
import { inLongRuns } from '../harness/long_runs.ts'
import { compilerComplaints, offerPackages } from './support/published_typescript.ts'

const run = promisify(execFile)
const folder = await mkdtemp(join(tmpdir(), 'guide-samples-'))
const guides = join(projectRoot, 'spec/guides')
const webhooks = await readFile(join(guides, '01-webhooks.md'), 'utf8')
const [, token = ''] = /"verification_token": "(.+?)"/.exec(webhooks) ?? []
const [, body = ''] = /^(\{"id".+\})$/m.exec(webhooks) ?? []
const [signature = ''] = /sha256=[0-9a-f]{64}/.exec(webhooks) ?? []

/** The fenced programs of one language in a text. */
function fences(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, source = '']) => source)
}

beforeAll(() => offerPackages(folder))

afterAll(() => rm(folder, { recursive: true }))

it('the TypeScript samples of the guides compile', async () => {
  const names = await readdir(guides)
  let count = 0
  for (const name of names)
    for (const source of fences(await readFile(join(guides, name), 'utf8'), 'ts'))
      await writeFile(join(folder, `${name.replace('.md', '')}-${++count}.ts`), `${source}\nexport {}\n`)
  expect(count).toBeGreaterThan(5)
  expect(await compilerComplaints(folder)).toBe('')
})

it('the body, token and signature of the webhook example match', async () => {
  await expect(verifyWebhook(body, signature, token)).resolves.toMatchObject({ type: 'page.created' })
})

it('the Python sample checks a signature', async ({ skip }) => {
  const [source] = fences(webhooks, 'python')
  const call = 'import sys\nbody, signature, token = sys.argv[1:]\nprint(is_from_service(body.encode(), signature, token))'
  const check = async (sent: string) => (await run('python3', ['-c', `${source}\n${call}`, sent, signature, token])).stdout.trim()
  if (!(await isThere('python3'))) skip('python3 is not on this machine')
  expect(await check(body)).toBe('True')
  expect(await check(`${body} `)).toBe('False')
})

inLongRuns(it.skipIf(!(await isThere('go'))))('the Go sample checks a signature', async () => {
  const module = join(folder, 'go')
  await mkdir(module)
  const [source = ''] = fences(webhooks, 'go')
  await writeFile(join(module, 'go.mod'), 'module webhooks\n\ngo 1.21\n')
  await writeFile(join(module, 'check.go'), source.replace('package webhooks', 'package main'))
  const main = 'import "os"\n\nfunc main() {\n\tprintln(IsFromService([]byte(os.Args[1]), os.Args[2], os.Args[3]))\n}\n'
  await writeFile(join(module, 'main.go'), `package main\n\n${main}`)
  await run('go', ['build', '-o', '../check', '.'], { cwd: module, env: { ...process.env, GOTOOLCHAIN: 'local' } })
  const check = async (sent: string) => (await run(join(folder, 'check'), [sent, signature, token])).stderr.trim()
  expect(await check(body)).toBe('true')
  expect(await check(`${body} `)).toBe('false')
})

async function isThere(name: string): Promise<boolean> {
  return run('sh', ['-c', `command -v ${name}`]).then(
    () => true,
    () => false,
  )
}
