import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { parse } from 'yaml'
import { operations, type OperationId } from '../../generated/operations.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { makeClient, obtainCode, RETURN_URI } from '../harness/oauth.ts'
import { startTestServer, TestClock, TOKEN, type TestServer } from '../harness/server.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = join(root, 'spec/workflows')
const names = (await readdir(folder)).filter((name) => name.endsWith('.arazzo.yaml'))
const used = new Map(await Promise.all(names.map(async (name) => [name, await operationsOf(name)] as const)))

const RUN_MILLISECONDS_MAX = 120_000

interface WorkflowFile {
  readonly workflows: readonly { readonly steps: readonly { readonly operationId: OperationId }[] }[]
}

/** The runner's report, by file. */
interface Report {
  readonly files: Readonly<Record<string, { readonly executedWorkflows: readonly { readonly status: string }[] }>>
}

/** Runs the contract's workflows against the running service. */
describe('the workflow of the contract succeeds:', () => {
  let server: TestServer
  const outcomes = new Map<string, { readonly statuses: readonly string[]; readonly output: string }>()

  beforeAll(async () => {
    server = await startTestServer({}, new TestClock(true))
    await runStories(names, server.url)
  }, RUN_MILLISECONDS_MAX)
  afterAll(() => server.stop())

  // If you are here because a workflow names an unknown operation: it was renamed or removed in the contract, so fix the workflow in
  // `spec/workflows/`.
  it.each(names)('%s', (name) => {
    expect(used.get(name)?.filter((id) => !Object.hasOwn(operations, id))).toEqual([])
    expect(outcomes.get(name)?.statuses, outcomes.get(name)?.output).toEqual(['success'])
  })

  /** Makes the runner execute some workflows. */
  async function runStories(chosen: readonly string[], url: string): Promise<void> {
    const stage = await setStage()
    const report = join(stage, 'report.json')
    const inputs = Object.entries(await inputsFor(server)).flatMap(([key, value]) => ['--input', `${key}=${value}`])
    const files = chosen.map((name) => join(stage, 'spec/workflows', name))
    const command = [
      join(root, 'node_modules/@redocly/cli/bin/cli.js'),
      'respect',
      ...files,
      '--server',
      `service=${url}`,
      ...inputs,
    ]
    const output = await promisify(execFile)(process.execPath, [...command, '--json-output', report], {
      cwd: root,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off' },
    }).then(
      ({ stdout }) => stdout,
      (error: { stdout?: string }) => error.stdout ?? String(error),
    )
    const { files: reported } = JSON.parse(await readFile(report, 'utf8')) as Report
    for (const [file, { executedWorkflows }] of Object.entries(reported))
      outcomes.set(basename(file), { statuses: executedWorkflows.map(({ status }) => status), output })
  }
})

/**
 * Copies of the workflows beside a copy of the contract without schemas: the runner compiles one for each response, which takes seconds, and
 * the tests of each operation have already checked its responses.
 */
async function setStage(): Promise<string> {
  const stage = mkdtempSync(join(inject('scratchFolder'), 'workflows-'))
  cpSync(folder, join(stage, 'spec/workflows'), { recursive: true })
  mkdirSync(join(stage, 'generated'))
  const contract: unknown = JSON.parse(await readFile(join(root, 'generated/openapi.json'), 'utf8'), (key, value: unknown) =>
    key === 'schema' || key === 'schemas' || key === 'examples' || key === 'webhooks' ? undefined : value,
  )
  await writeFile(join(stage, 'generated/openapi.yaml'), JSON.stringify(contract))
  return stage
}

/** The inputs of the workflows, which a person would fill in. The mock accepts any. */
async function inputsFor(server: TestServer): Promise<Readonly<Record<string, string>>> {
  const client = await makeClient(server)
  return {
    token: TOKEN,
    parent_page_id: exampleWorkspace.pages.handbook,
    client_basic: Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64'),
    code: await obtainCode(server, client),
    redirect_uri: RETURN_URI,
  }
}

async function operationsOf(name: string): Promise<OperationId[]> {
  const { workflows } = parse(await readFile(join(folder, name), 'utf8')) as WorkflowFile
  return workflows.flatMap(({ steps }) => steps.map(({ operationId }) => operationId))
}
