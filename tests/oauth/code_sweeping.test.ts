import { expect, it } from 'vitest'
import { sweepCodes } from '../../server/domain/oauth/decide.ts'
import type { TestResponse } from '../harness/responses.ts'
import { makeClient, obtainCode, readTokens, RETURN_URI } from '../harness/oauth.ts'
import { serverOfFile } from '../harness/server.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const server = await serverOfFile()
const client = await makeClient(server)

const exchange = (code: string): Promise<TestResponse> =>
  client.call('createToken', { grant_type: 'authorization_code', code, redirect_uri: RETURN_URI })
const sweep = (limit = 100): Promise<number> => server.service.database.write((db) => sweepCodes(db, server.clock.now(), limit))

it('a used code is kept for 30 days after it expires, so that a second use still revokes its tokens, and then deleted', async () => {
  const [early, late] = [await obtainCode(server, client), await obtainCode(server, client)]
  const { caller } = readTokens(server, await exchange(early))
  const { caller: another } = readTokens(server, await exchange(late))
  server.clock.advance(30 * DAY_MS)
  expect(await sweep()).toBe(0)
  const again = await exchange(early)
  expect([again.status, again.body['message']]).toEqual([400, 'The authorization code was already used.'])
  expect((await caller.call('retrieveMe')).status).toBe(401)
  server.clock.advance(DAY_MS)
  expect(await sweep()).toBe(2)
  const unknown = await exchange(late)
  expect([unknown.status, unknown.body['message']]).toEqual([400, 'The authorization code is unknown.'])
  expect((await another.call('retrieveMe')).status).toBe(200)
})

it('an unused code is deleted 30 days after it expires, in bounded batches', async () => {
  for (let count = 0; count < 3; count += 1) await obtainCode(server, client)
  server.clock.advance(31 * DAY_MS)
  expect([await sweep(2), await sweep(2), await sweep(2)]).toEqual([2, 1, 0])
})
