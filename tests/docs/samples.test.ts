/** The samples of the reference as readers copy them: each program runs, and sends a valid request. */

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import express from 'express'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newestRelease } from '../../generated/operations.ts'
import { sampleLanguages } from '../../scripts/docs/samples/index.ts'
import { sampleCall, type SampleCall } from '../../scripts/docs/samples/sample_call.ts'
import { readSources } from './support/sources.ts'
import { operationsOf, resolve, type Document, type Example, type PlacedOperation } from '../../scripts/generate/document.ts'
import { createRouter, type RouterHandlers } from '../../server/router.ts'
import { inLongRuns } from '../harness/long_runs.ts'
import { compilerComplaints, offerPackages } from './support/published_typescript.ts'

const run = promisify(execFile)
const credentials = { TOKEN: 'itk_sample', CLIENT_ID: 'tide', CLIENT_SECRET: 'secret' }
const found: Record<string, string | undefined> = {}

let folder = ''
let server: Server
let environment: NodeJS.ProcessEnv = {}
let calls: readonly SampleCall[] = []
/** The responses to each program, by method and path. */
let responses: { readonly request: string; readonly status: number; readonly body: string }[] = []

beforeAll(async () => {
  const [{ document }] = await readSources()
  calls = operationsOf(document)
    .map((placed) => sampleCall(document, placed))
    // The backend of this test only supports the newest release.
    .filter(({ forBrowsers, version = newestRelease }) => !forBrowsers && version === newestRelease)
  folder = await mkdtemp(join(tmpdir(), 'samples-test-'))
  await offerPackages(folder)
  for (const { body } of calls)
    if (body.kind === 'form' && body.file !== undefined) await writeFile(join(folder, body.file), 'tide')
  server = createServer(backendOf(document)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  environment = { ...process.env, ...credentials, BASE_URL: `http://127.0.0.1:${port}` }
  for (const name of ['curl', 'python3', 'go']) found[name] = await pathOf(name)
})

afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true })
})

/** A backend that validates each request against the contract and responds with the operation's first example. */
function backendOf(document: Document): express.Express {
  const handlers = Object.fromEntries(
    operationsOf(document).map((placed) => [placed.operation.operationId, async () => exampleResponse(document, placed)]),
    // The examples were validated when they were generated.
  ) as RouterHandlers<object>
  const app = express()
  app.use((request, response, next) => {
    const chunks: Buffer[] = []
    const end = response.end.bind(response)
    response.end = ((chunk: Buffer | string, ...rest: []) => {
      if (chunk) chunks.push(Buffer.from(chunk))
      responses.push({
        request: `${request.method} ${request.url}`,
        status: response.statusCode,
        body: Buffer.concat(chunks).toString(),
      })
      return end(chunk, ...rest)
    }) as typeof response.end
    next()
  })
  app.use(createRouter({ authenticate: async () => ({}), handlers }))
  return app
}

function exampleResponse(document: Document, { operation }: PlacedOperation): object {
  const media = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, response]) => Object.values(resolve(document, response).content ?? {}))
  const examples = media.flatMap(({ examples: all = {} }) => Object.values(all))
  const value = examples.map((example) => resolve<Example>(document, example).value).find((one) => typeof one === 'object')
  return value ?? {}
}

async function pathOf(name: string): Promise<string | undefined> {
  return run('sh', ['-c', `command -v ${name}`]).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  )
}

function sources(fence: string): { operationId: string; source: string }[] {
  const language = sampleLanguages.find((one) => one.fence === fence)
  return calls.map((call) => ({ operationId: call.operationId, source: language?.write(call) ?? '' }))
}

/** Expects that each operation was called once, and that no request was refused. */
function expectAllTaken(): void {
  const all = responses
  responses = []
  expect(all.filter(({ status }) => status >= 300)).toEqual([])
  expect(all.map(({ request }) => request).toSorted()).toEqual(
    calls.map(({ method, address }) => `${method} ${address}`).toSorted(),
  )
}

it('all curl samples succeed', async () => {
  await writeFile(
    join(folder, 'all.sh'),
    ['set -e', ...sources('sh').map(({ source }) => `${source} -sS -o /dev/null`)].join('\n'),
  )
  await run('sh', ['all.sh'], { cwd: folder, env: environment })
  expectAllTaken()
})

it('all TypeScript samples compile and succeed', async () => {
  const programs = join(folder, 'ts')
  await mkdir(programs)
  for (const { operationId, source } of sources('ts'))
    await writeFile(join(programs, `${operationId}.ts`), `${source}\nexport {}\n`)
  const all = calls.map(({ operationId }) => `await import('./${operationId}.ts')`)
  await writeFile(join(programs, 'all.ts'), `console.log = () => undefined\n${all.join('\n')}\nexport {}\n`)
  await run(process.execPath, ['ts/all.ts'], { cwd: folder, env: environment })
  expectAllTaken()
  expect(await compilerComplaints(programs)).toBe('')
})

it('all Python samples succeed with only the standard library', async ({ skip }) => {
  if (found['python3'] === undefined) skip('python3 is not on this machine')
  const programs = sources('python').map(({ operationId, source }) => [operationId, source])
  await writeFile(join(folder, 'all.json'), JSON.stringify(programs))
  const runner = 'import json\nfor name, source in json.load(open("all.json")):\n    exec(compile(source, name, "exec"), {})\n'
  await run('python3', ['-c', runner], { cwd: folder, env: environment })
  expectAllTaken()
})

// Go first compiles its standard library, which takes as long as all other tests of the documentation.
inLongRuns(it.skipIf(!(await pathOf('go'))))('all Go samples succeed with only the standard library', async () => {
  const module = join(folder, 'go')
  await mkdir(module)
  await writeFile(join(module, 'go.mod'), 'module samples\n\ngo 1.21\n')
  for (const { operationId, source } of sources('go'))
    await writeFile(join(module, `${operationId}.go`), source.replace('func main()', `func ${operationId}()`))
  const main = `package main\n\nfunc main() {\n${calls.map(({ operationId }) => `\t${operationId}()`).join('\n')}\n}\n`
  await writeFile(join(module, 'main.go'), main)
  await run('go', ['build', '-o', '../all', '.'], {
    cwd: module,
    env: { ...environment, GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local' },
  })
  await run('./all', { cwd: folder, env: environment, maxBuffer: 16 * 1024 * 1024 })
  expectAllTaken()
})
