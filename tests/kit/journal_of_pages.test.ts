import { expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { Faults } from '../../server/faults/faults.ts'
import { Journal } from '../../testkit/src/journal/journal.ts'
import { testInterceptor } from '../../testkit/src/test_interceptor.ts'
import { Browser } from '../harness/browser.ts'
import { idOf } from '../harness/json.ts'
import { create as createUpload, file, send } from '../harness/files.ts'
import { authorizeAddress, makeClient, obtainCode, RETURN_URI } from '../harness/oauth.ts'
import { serverOfFile, TestClock } from '../harness/server.ts'

const journal: Journal = new Journal(() => server.url)
const interceptor = testInterceptor({ faults: new Faults(false), journal, random: undefined })
const server = await serverOfFile({}, new TestClock(), undefined, { interceptor })
const browser = new Browser(server)
await browser.signIn(server, exampleWorkspace.people[0].email)
const client = await makeClient(server)

const shown = (): string => JSON.stringify([journal.entries, journal.toHar()])

it('the journal masks the code of a redirect to the connection, and keeps the rest of the address', async () => {
  journal.clear()
  const code = await obtainCode(server, client, { browser, parameters: { state: 'abc' } })
  expect(code.length).toBeGreaterThan(20)
  const entry = journal.entries.find(({ operation }) => operation === 'createAuthorization')
  expect(entry?.response.status).toBe(303)
  const location = new URL(entry?.response.headers['location'] ?? '')
  expect(location.href.startsWith(RETURN_URI)).toBe(true)
  expect(Object.fromEntries(location.searchParams)).toMatchObject({ code: '[redacted]', state: 'abc', iss: server.url })
  expect(shown()).toContain('code=[redacted]')
  expect(shown()).not.toContain(code.replace(/^code_/, ''))
})

it('the journal masks secrets inside the return address of a redirect to sign-in', async () => {
  journal.clear()
  const address = authorizeAddress(client, { state: 'https://planner.example/?access_token=hunter2Zq9xVb' })
  const response = await new Browser(server).open(address)
  expect(response.headers.location).toContain('hunter2Zq9xVb')
  expect(journal.entries[0]?.response.headers['location']).toContain('return_to=')
  expect(shown()).not.toContain('hunter2Zq9xVb')
})

it('the journal names the location of a refusal on the consent page', async () => {
  journal.clear()
  await browser.open(authorizeAddress(client, { owner: 'everybody' }))
  expect(journal.entries[0]?.refusal).toMatchObject({ code: 'invalid_request', paths: ['query.owner'] })
})

it('the journal has the size of a multipart body, but not its contents', async () => {
  const id = idOf(await createUpload(server.owner, { filename: 'a.txt' }))
  journal.clear()
  expect((await send(server.owner, id, file('hunter2Zq9xVb', 'a.txt', 'text/plain'))).status).toBe(200)
  expect(journal.entries[0]?.bodyBytes).toBeGreaterThan(100)
  expect(shown()).not.toContain('hunter2Zq9xVb')
})
