import { expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { each, ghostPath, outcomes, servedWith, versionOf } from '../harness/every_operation.ts'
import { expectError } from '../harness/expectations.ts'
import { startTestServer, TOKEN } from '../harness/server.ts'

/** tests/limits covers the rate limits themselves; this tests their position among the checks. */
it('every operation: 429 rate_limited before capability and body, and after route and version', async () => {
  const server = await startTestServer({ RATE_LIMIT: '3/60' })
  for (let count = 0; count < 3; count += 1) expect((await server.owner.call('retrieveMe')).status).toBe(200)
  const operations = servedWith('bearer', 'connection')
  const found = await outcomes(operations, (operation) =>
    server.caller(TOKEN, versionOf(operation)).call(operation.id, { path: ghostPath(operation) }),
  )
  expect(found).toEqual(each(operations, '429 rate_limited'))
  expectError(
    await server.owner.send('POST', '/v1/pages', { headers: { 'Content-Type': 'application/json' }, body: '{' }),
    429,
    'rate_limited',
  )
  expectError(await server.owner.send('GET', '/v1/nowhere'), 400, 'invalid_request_url')
  expectError(
    await server.owner.send('GET', `/v1/data_sources/${exampleWorkspace.pages.handbook}`, {
      headers: { 'Service-Version': '2022-06-28' },
    }),
    400,
    'invalid_request_url',
  )
  expectError(await server.owner.call('retrieveMe', { headers: { 'Service-Version': undefined } }), 400, 'missing_version')
  await server.stop()
})
