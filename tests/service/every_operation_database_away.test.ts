import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../harness/answers.ts'
import { engine, makeDatabase, type TestDatabase } from '../harness/databases.ts'
import {
  each,
  exampleCall,
  exampleForm,
  outcomes,
  takesForm,
  targetOf,
  servedWith,
  takesKey,
  type KnownOperation,
} from '../harness/every_operation.ts'
import { basic, makeClient } from '../harness/oauth.ts'
import { until } from '../harness/process.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { Wire } from '../harness/wire.ts'

/** Every operation while the database is away (platform.md 6.2): the operations come from the contract. */
describe.runIf(engine === 'postgresql')('a database that goes away', () => {
  let database: TestDatabase
  let wire: Wire
  let server: TestServer
  let clientHeader: string
  beforeAll(async () => {
    database = await makeDatabase()
    wire = new Wire(database.url)
    server = await startTestServer({ DATABASE_URL: await wire.mend() })
    const { clientId, clientSecret } = await makeClient(server)
    clientHeader = basic(clientId, clientSecret)
  })
  afterAll(async () => {
    await server.stop()
    wire.cut()
    await database.drop()
  })

  const bearer = servedWith('bearer')
  const clients = servedWith('client')
  const ask = (operation: KnownOperation, headers: Record<string, string>): Promise<Answer> => {
    const example = exampleCall(operation)
    if (takesForm(operation)) {
      const form = { 'Content-Type': exampleForm.type, ...example.headers, ...headers }
      return server.owner.send(operation.method.toUpperCase(), targetOf(operation), { headers: form, body: exampleForm.text })
    }
    return server.owner.call(operation.id, { ...example, headers: { ...example.headers, ...headers } })
  }
  const works = async (): Promise<true | undefined> => ((await server.owner.call('retrieveMe')).status === 200 ? true : undefined)

  it('503 service_unavailable from every operation while nobody answers, and then it goes on', async () => {
    wire.cut()
    const found = await outcomes([...bearer, ...clients], (operation) =>
      ask(operation, operation.credentials === 'client' ? { Authorization: clientHeader } : {}),
    )
    expect(found).toEqual({
      ...each(bearer, '503 service_unavailable'),
      ...each(clients, '503 service_unavailable'),
    })
    await wire.mend()
    expect(await until(works)).toBe(true)
  })

  /** What each operation answers while the connection breaks at the first commit. */
  const askedWhileItBreaks = (operations: readonly KnownOperation[], hasKey: boolean): Promise<Record<string, string>> =>
    outcomes(operations, async (operation) => {
      await until(works)
      wire.dropAt = 'commit'
      const answer = await ask(operation, hasKey ? { 'Idempotency-Key': `unconfirmed-${operation.id}` } : {})
      wire.dropAt = undefined
      return answer
    })

  it('504 gateway_timeout from every operation whose change nobody confirms', async () => {
    const found = await askedWhileItBreaks(bearer.filter(takesKey), false)
    // Some examples are refused before anything is to be kept, and queries keep nothing.
    const isUntouched = (outcome: string): boolean => /^(?:200$|400 |404 )/.test(outcome)
    const others = Object.fromEntries(Object.entries(found).filter(([, outcome]) => !isUntouched(outcome)))
    expect(others).toEqual(Object.fromEntries(Object.keys(others).map((id) => [id, '504 gateway_timeout'])))
    expect(Object.keys(others)).toEqual(
      expect.arrayContaining(['createPage', 'updateDatabase', 'deleteBlock', 'createFileUpload']),
    )
    expect(await until(works)).toBe(true)
  })

  // The last one: what it leaves behind is freed beside whatever comes next.
  it('503 service_unavailable from every operation that writes, when nobody confirms that its key is taken', async () => {
    const keyed = bearer.filter(takesKey)
    expect(await askedWhileItBreaks(keyed, true)).toEqual(each(keyed, '503 service_unavailable'))
    expect(await until(works)).toBe(true)
  })
})
