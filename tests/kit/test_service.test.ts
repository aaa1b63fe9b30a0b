import { expect, it } from 'vitest'
import { scratchFolder } from '../harness/databases.ts'
import { parseObject, type JsonObject } from '../harness/json.ts'
import { TOKEN } from '../harness/server.ts'
import { runService, spawnProcess, until, type ServiceProcess } from '../harness/process.ts'
import { callControl } from './support/control.ts'

const COMMAND = 'bin/workspace-service.cjs'
const PORTS = ['--port', '0', '--control-port', '0']

async function factsOf(service: ServiceProcess): Promise<JsonObject> {
  const text = await until(() => (service.output().endsWith('\n') ? service.output() : undefined), service)
  return parseObject(text)
}

it('serve --test runs a service in memory, whatever the environment sets, until a signal arrives', async () => {
  const settings = { DATABASE_URL: `sqlite:${scratchFolder('kept-')}/not/there.db`, WORKERS: '2', BOOTSTRAP_SAMPLE: 'empty' }
  const words = ['--test', ...PORTS, '--json', '--prefer', '--time', '2026-05-16T04:30:00Z', '--id-seed', 'tide']
  const service = spawnProcess(COMMAND, words, settings)
  const facts = await factsOf(service)
  const [url, control] = [String(facts['url']), String(facts['control_url'])]
  const { body } = await callControl(control, 'retrieveServer')
  expect(body).toMatchObject({ url, workspace: { id: facts['workspace_id'], token: facts['token'] } })
  expect((await callControl(control, 'retrieveClock')).body['time']).toBe('2026-05-16T04:30:00.000Z')
  const headers = { Authorization: `Bearer ${String(facts['token'])}`, 'Service-Version': '2026-03-11' }
  expect((await fetch(`${url}/v1/users/me`, { headers })).status).toBe(200)
  expect((await fetch(`${url}/v1/users/me`, { headers: { ...headers, Prefer: 'code=403' } })).status).toBe(403)
  service.kill('SIGTERM')
  expect(await service.ended).toEqual({ code: 0, signal: null })
})

it('serve --test prints its address and the next steps', async () => {
  const service = spawnProcess(COMMAND, ['serve', '--test', ...PORTS], {})
  const text = await until(() => (service.output().includes('Ctrl+C') ? service.output() : undefined), service)
  const [, control = ''] = /Control API {3}(\S+)/.exec(text) ?? []
  expect((await callControl(control, 'retrieveServer')).body['url']).toBe(/for tests on (\S+)/.exec(text)?.[1])
  expect(text).toContain(`curl -X POST ${control}/v1/server/reset`)
  service.kill('SIGINT')
  expect(await service.ended).toEqual({ code: 0, signal: null })
})

it('the setting PREFER_FAULTS lets requests to a development service inject faults', async () => {
  const { url, ...service } = await runService({ PREFER_FAULTS: 'true', CORS_ALLOWED_ORIGINS: 'https://app.example' })
  const headers = { Authorization: `Bearer ${TOKEN}`, 'Service-Version': '2026-03-11' }
  const limited = await fetch(`${url}/v1/users/me`, { headers: { ...headers, Prefer: 'code=429' } })
  expect(await limited.json()).toMatchObject({ code: 'rate_limited' })
  const preflight = await fetch(`${url}/v1/users/me`, { method: 'OPTIONS', headers: { Origin: 'https://app.example' } })
  expect(preflight.headers.get('Access-Control-Allow-Headers')).toMatch(/, Prefer$/)
  expect((await fetch(`${url}/v1/users/me`, { headers })).status).toBe(200)
  service.kill('SIGTERM')
  expect(await service.ended).toEqual({ code: 0, signal: null })
})

it.each([
  [['serve', '--time', '2026-05-16'], 2, '--time requires --test.'],
  [['--test', '--workers', '2'], 2, 'A test service is one process: --test cannot be combined with --workers.'],
  [
    ['--test', '--database', 'sqlite:kept.db'],
    2,
    'A test service keeps its data in memory: --test cannot be combined with --database.',
  ],
  [['--test', '--control-port', '70000'], 1, 'WORKSPACE_CONTROL_PORT is "70000", but should be a whole number'],
  [['--test', ...PORTS, '--time', 'noon'], 1, 'noon is not a time.'],
] as const)('the command line %j is refused', async (words, code, message) => {
  const service = spawnProcess(COMMAND, words, {})
  expect(await service.ended).toEqual({ code, signal: null })
  expect(service.errors()).toContain(message)
  expect(service.errors()).not.toContain('    at ')
})
