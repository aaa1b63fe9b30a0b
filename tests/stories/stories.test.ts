import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { operations, type OperationId } from '../../generated/operations.ts'
import { pending } from '../../server/handlers/pending.ts'
import { story } from '../../server/bootstrap/story.ts'
import { startMock, type Mock } from '../harness/mock.ts'
import { makeClient, obtainCode, RETURN_URI } from '../harness/oauth.ts'
import { startTestServer, TestClock, TOKEN, type TestServer } from '../harness/server.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = join(root, 'spec/stories')
const names = (await readdir(folder)).filter((name) => name.endsWith('.arazzo.yaml'))

/** Each story starts the runner anew, which reads the whole contract. */
const STORY_MILLISECONDS_MAX = 120_000

interface Story {
  readonly workflows: readonly { readonly steps: readonly { readonly operationId: OperationId }[] }[]
}

/** What a person would fill in: the stories name these inputs. The mock takes any. */
async function inputsFor(server: TestServer): Promise<Readonly<Record<string, string>>> {
  const client = await makeClient(server)
  return {
    token: TOKEN,
    parent_page_id: story.pages.handbook,
    client_basic: Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64'),
    code: await obtainCode(server, client),
    redirect_uri: RETURN_URI,
  }
}

/** The stories of the contract, told to the running service; those with operations still to come are told to the mock. */
describe('stories', () => {
  let server: TestServer
  let mock: Mock | undefined

  beforeAll(async () => {
    server = await startTestServer({}, new TestClock(true))
    const used = (await Promise.all(names.map(operationsOf))).flat()
    if (used.some(isNotServed)) mock = await startMock()
  })
  afterAll(() => Promise.all([server.stop(), mock?.stop()]))

  // The runner gives a step ten seconds, which a machine busy with the rest of the suite can exceed.
  it.each(names)('%s', { timeout: STORY_MILLISECONDS_MAX, retry: 1 }, async (name) => {
    const used = await operationsOf(name)
    expect(used.filter((id) => !Object.hasOwn(operations, id))).toEqual([])
    const target = used.some(isNotServed) ? mock?.url : server.url
    const inputs = await inputsFor(server)
    const options = Object.entries(inputs).flatMap(([key, value]) => ['--input', `${key}=${value}`])
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        join(root, 'node_modules/@redocly/cli/bin/cli.js'),
        'respect',
        join(folder, name),
        '--server',
        `service=${target}`,
        ...options,
      ],
      { cwd: root, env: { ...process.env, REDOCLY_TELEMETRY: 'off' } },
    ).catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? String(error) }))
    expect(stdout).toMatch(/Workflows: 1 passed, 1 total/)
  })
})

async function operationsOf(name: string): Promise<OperationId[]> {
  const { workflows } = parse(await readFile(join(folder, name), 'utf8')) as Story
  return workflows.flatMap(({ steps }) => steps.map(({ operationId }) => operationId))
}

function isNotServed(id: OperationId): boolean {
  return (pending as readonly OperationId[]).includes(id)
}
