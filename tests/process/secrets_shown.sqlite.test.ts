import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newestRelease } from '../../generated/operations.ts'
import { CommandLine } from '../cli/support.ts'
import { makeDatabase, type TestDatabase } from '../harness/databases.ts'
import { freePort, runService, type RunningProcess } from '../harness/process.ts'

/** A secret is shown once, when it is created; a secret that the operator chose is never shown. */

let database: TestDatabase
beforeEach(async () => void (database = await makeDatabase('none')))
afterEach(() => database.drop())

/** The output of a service from start to end. */
async function wordsOf(settings: Record<string, string>, look: (service: RunningProcess) => Promise<void>): Promise<string> {
  const service = await runService({ DATABASE_URL: database.url, ...settings })
  await look(service)
  service.kill()
  expect(await service.ended).toEqual({ code: 0, signal: null })
  return service.output() + service.errors()
}

/**
 * Sends the request of the printed `curl` command.
 * @param token value of TOKEN in the shell
 */
async function tryIt({ output }: RunningProcess, token = ''): Promise<number> {
  const [, target = '', authorization = ''] = /curl '(\S+)'[^]*?-H ['"]Authorization: ([^'"]+)['"]/.exec(output()) ?? []
  const headers = { Authorization: authorization.replace('$TOKEN', token), 'Service-Version': newestRelease }
  return (await fetch(target, { headers })).status
}

describe('the output of a start', { timeout: 120_000 }, () => {
  it('shows a newly created token once, in a working curl command, and not at later starts', async () => {
    let token = ''
    const first = await wordsOf({ BOOTSTRAP_TOKEN: '' }, async (service) => {
      token = /Token \(shown once\) {2}(itk_\w+)/.exec(service.output())?.[1] ?? 'none'
      expect(await tryIt(service)).toBe(200)
    })
    // Once where it is shown, and once in the curl command.
    expect(first.split(token)).toHaveLength(3)
    const second = await wordsOf({ BOOTSTRAP_TOKEN: '' }, async (service) => expect(await tryIt(service, token)).toBe(200))
    expect(second).not.toContain(token)
    expect(second).toContain('was shown when the database was created')
  })

  it('shows no secret of a setting, even an invalid one, and neither does doctor', async () => {
    const secrets = {
      BOOTSTRAP_TOKEN: 'itk_chosen_by_the_operator_1234',
      METRICS_TOKEN: 'metrics_token_of_the_operator',
      AGENT_MODEL_KEY: 'key_of_the_model_endpoint',
      REDIS_URL: `redis://counter:hunter2@127.0.0.1:${await freePort()}`,
    }
    const model = { AGENT_MODEL_URL: 'http://127.0.0.1:9/v1', AGENT_MODEL_NAME: 'house-model' }
    const settings = { ...secrets, ...model, METRICS: 'token', RATE_LIMIT: '100/60', LOG_LEVEL: 'trace' }
    const words = await wordsOf(settings, async (service) => {
      expect(await tryIt(service, secrets.BOOTSTRAP_TOKEN)).toBe(200)
      expect(service.output()).toContain('the one in BOOTSTRAP_TOKEN')
    })
    const { output, errors } = await new CommandLine(database.url, settings).run(['doctor'])
    for (const secret of [secrets.BOOTSTRAP_TOKEN, secrets.METRICS_TOKEN, secrets.AGENT_MODEL_KEY, 'hunter2'])
      expect(words + output + errors).not.toContain(secret)
  })
})
