/**
 * Runs the collections for Postman and Bruno with their official runners, against the service and its demo workspace: responses to reads,
 * and to the creation of a page, must have the form of the contract's examples. `npm run test:collections`
 */

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { collectionFolders, type CollectionCall } from '../../scripts/generate/collections/calls.ts'
import { install } from '../clients/install.ts'
import { isObject, parseObject } from '../harness/json.ts'
import { startTestedService, type TestedService } from '../schemathesis/service.ts'
import { differencesOf } from './differences.ts'
import { parseCommandLine } from '../../scripts/parse_command_line.ts'

parseCommandLine(import.meta.filename, {}) // there are no options

const generated = resolve(import.meta.dirname, '../../generated')
const NEWMAN = { package: 'newman', version: '6.2.2', beside: {} }
const BRUNO = { package: '@usebruno/cli', version: '4.1.0', beside: {} }
const CREATES = ['createPage', 'search', 'queryDataSource']
/**
 * Calls that the demo workspace cannot serve: most need the result of other calls, one names a column of another page, and one belongs to
 * older releases with an example of its own date.
 */
const OF_LATER = new Set([
  'retrieveFileUpload',
  'retrieveSession',
  'retrieveAsyncTask',
  'retrieveWebhookSubscription',
  'listViewQueryResults',
  'retrievePageProperty',
  'listDatabases',
])

/** The responses that a runner received, by the name of the call. */
type Responses = ReadonlyMap<string, { readonly status: number; readonly body: unknown }>

const folders = collectionFolders(JSON.parse(await readFile(join(generated, 'openapi.json'), 'utf8')))
const chosen = folders.flatMap(({ name, calls }) =>
  calls
    .filter(
      ({ sample: { method, operationId, credentials } }) =>
        credentials === 'bearer' && (method === 'GET' || CREATES.includes(operationId)),
    )
    .filter(({ sample }) => !OF_LATER.has(sample.operationId))
    .map((call) => ({ folder: name, call })),
)
const scratch = await mkdtemp(join(tmpdir(), 'collections-'))
try {
  for (const [name, run] of Object.entries({ Postman: runPostman, Bruno: runBruno })) {
    const service = await startTestedService('owner')
    const responses = await run(service).finally(() => service.stop())
    const faults = chosen.flatMap(({ call }) => faultsOf(call, responses))
    console.log(`${name}: ${chosen.length} calls, ${chosen.length - faults.length} with responses like the examples`)
    for (const fault of faults) console.log(`  ✖ ${fault}`)
    if (faults.length > 0) process.exitCode = 1
  }
} finally {
  await rm(scratch, { recursive: true })
}

/** A fault if the response resembles no example of the contract. */
function faultsOf({ name, responses }: CollectionCall, given: Responses): string[] {
  const response = given.get(name)
  if (response === undefined) return [`${name}: was not run`]
  const differences = responses.map(({ status, body }) =>
    status === response.status ? differencesOf(body, response.body) : [`status ${response.status}`],
  )
  const closest = differences.toSorted((a, b) => a.length - b.length)[0] ?? []
  return closest.length === 0 ? [] : [`${name}: ${closest.slice(0, 3).join('; ')}`]
}

async function runPostman({ url, token }: TestedService): Promise<Responses> {
  const { folder } = await install(NEWMAN)
  const report = join(scratch, 'postman.json')
  const only = chosen.flatMap(({ call }) => ['--folder', call.name])
  const variables = Object.entries({ base_url: url, token }).flatMap(([key, value]) => ['--env-var', `${key}=${value}`])
  const words = [
    'run',
    join(generated, 'collections/postman.json'),
    ...only,
    ...variables,
    '--reporters',
    'json',
    '--reporter-json-export',
    report,
  ]
  await runTool(join(folder, 'node_modules/newman/bin/newman.js'), words, folder)
  const { run } = parseObject(await readFile(report, 'utf8'))
  const executions = isObject(run) && Array.isArray(run['executions']) ? run['executions'].filter(isObject) : []
  return new Map(
    executions.map(({ item, response }) => {
      const { code, stream } = isObject(response) ? response : {}
      const bytes = isObject(stream) && Array.isArray(stream['data']) ? Buffer.from(stream['data'].map(Number)) : Buffer.from('')
      return [isObject(item) ? String(item['name']) : '', { status: Number(code), body: parsed(bytes.toString()) }]
    }),
  )
}

async function runBruno({ url, token }: TestedService): Promise<Responses> {
  const { folder } = await install(BRUNO)
  const report = join(scratch, 'bruno.json')
  const files = chosen.map(({ folder: tag, call }) => `${tag}/${call.sample.operationId}.yml`)
  const variables = ['--env', 'local', '--env-var', `base_url=${url}`, '--env-var', `token=${token}`]
  await runTool(
    join(folder, 'node_modules/@usebruno/cli/bin/bru.js'),
    ['run', ...files, ...variables, '--reporter-json', report],
    join(generated, 'collections/bruno'),
  )
  const [first] = JSON.parse(await readFile(report, 'utf8'))
  const results: unknown[] = isObject(first) && Array.isArray(first['results']) ? first['results'] : []
  return new Map(
    results.filter(isObject).map(({ name, response }) => {
      const { status, data } = isObject(response) ? response : {}
      return [String(name), { status: Number(status), body: data }]
    }),
  )
}

/** Runners exit with an error for an unexpected response; their report has the details. */
async function runTool(file: string, words: readonly string[], cwd: string): Promise<void> {
  await promisify(execFile)(process.execPath, [file, ...words], { cwd, maxBuffer: 1 << 28 }).catch(() => undefined)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
