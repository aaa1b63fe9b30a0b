import { expect, it } from 'vitest'
import { operations } from '../../generated/operations.ts'
import { isPending } from '../../server/handlers/pending.ts'
import type { OperationId } from '../../server/contract/operation.ts'
import { expectError } from '../harness/expectations.ts'
import { startTestServer } from '../harness/server.ts'

/** The budgets themselves are told in tests/limits; here is where they stand among the checks (platform.md 12, cases 9 and 10). */
it('429 rate_limited on every operation, before capability and body, behind route and version', async () => {
  const server = await startTestServer({ RATE_LIMIT: '3/60' })
  for (let count = 0; count < 3; count += 1) expect((await server.owner.call('retrieveMe')).status).toBe(200)
  const path = { block_id: 'x', page_id: 'x', user_id: 'x', comment_id: 'x' }
  for (const { id, credentials } of Object.values(operations)) {
    if (credentials === 'bearer' && !isPending(id as OperationId))
      expectError(await server.owner.call(id as OperationId, { path }), 429, 'rate_limited')
  }
  expectError(
    await server.owner.send('POST', '/v1/pages', { headers: { 'Content-Type': 'application/json' }, body: '{' }),
    429,
    'rate_limited',
  )
  expectError(await server.owner.send('GET', '/v1/nowhere'), 400, 'invalid_request_url')
  expectError(await server.owner.call('retrieveMe', { headers: { 'Service-Version': undefined } }), 400, 'missing_version')
  await server.stop()
})
