import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { createPerson } from '../../server/domain/administration/people.ts'
import { makeConnection, makeMember } from '../harness/connections.ts'
import { textAt, type JsonObject } from '../harness/json.ts'
import { until } from '../harness/process.ts'
import { serverOfFile } from '../harness/server.ts'
import { ConsoleCaller } from './support/console_caller.ts'

const [ines, other] = exampleWorkspace.people
const workspaceId = exampleWorkspace.workspace.id
const server = await serverOfFile({ REFUSED_BODIES: 'true' })

const owner = await ConsoleCaller.of(server, ines.email)
const member = await newPerson('reader@boats.example')
const { caller, connectionId } = await makeConnection(server, { name: 'Crate Counter', capabilities: ['insert_content'] })

async function newPerson(email: string): Promise<ConsoleCaller> {
  const settings = { workspaceId, email, name: 'Nora', role: 'member' } as const
  await server.service.database.write((db) => createPerson(db, settings, server.clock.now()))
  return ConsoleCaller.of(server, email)
}

/** Sends a request that is refused. */
async function refused(program = caller): Promise<string> {
  const { body } = await program.call('createPage', { body: { parent: { page_id: 'harbor' }, markdown: `it's` } })
  return textAt(body, 'request_id')
}

const idsOf = (list: JsonObject): unknown[] => (list['results'] as JsonObject[]).map((one) => one['request_id'])
const first = await refused()
const second = await refused()
const ofOther = await refused(await makeMember(server, other.id))
await until(async () => idsOf((await owner.call('listRefusedRequests')).body).length >= 3 || undefined)

const details = (viewer: ConsoleCaller, id: string): ReturnType<ConsoleCaller['call']> =>
  viewer.call('retrieveRefusedRequest', { path: { request_id: id } })

describe('listRefusedRequests', () => {
  it('200 with the requests of all connections of the workspace for an owner, newest first', async () => {
    const { body } = await owner.call('listRefusedRequests')
    expect(idsOf(body)).toEqual([ofOther, second, first])
    expect((body['results'] as unknown[])[1]).toMatchObject({
      ...{ status: 400, code: 'validation_error', method: 'POST', path: '/v1/pages', operation: 'createPage' },
      reference: '/docs/operations/createPage',
      workspace: { id: workspaceId, name: exampleWorkspace.workspace.name },
      connection: { id: connectionId, name: 'Crate Counter' },
      member: null,
      locations: ['body.parent.page_id'],
    })
  })

  it('200 with the requests that match the status and the operation', async () => {
    for (const query of [{ status: '400' }, { operation: 'createPage' }, { status: '400', operation: 'createPage' }])
      expect(idsOf((await owner.call('listRefusedRequests', { query })).body)).toContain(first)
    for (const query of [{ status: '404' }, { operation: 'updatePage' }])
      expect(idsOf((await owner.call('listRefusedRequests', { query })).body)).toEqual([])
    const wrong = await owner.call('listRefusedRequests', { query: { status: '200' } })
    expect([wrong.status, wrong.body['message']]).toEqual([400, expect.stringContaining('query.status')])
  })

  it('200 with only their own requests for people who are not owners', async () => {
    const viewer = await ConsoleCaller.of(server, other.email)
    expect((await viewer.call('retrieveSession')).body['workspaces']).toEqual([expect.objectContaining({ role: 'member' })])
    expect(idsOf((await viewer.call('listRefusedRequests')).body)).toEqual([ofOther])
    expect(idsOf((await member.call('listRefusedRequests')).body)).toEqual([])
  })
})

describe('retrieveRefusedRequest', () => {
  it('200 with the body and a command that repeats the request', async () => {
    const { body } = await details(owner, first)
    expect(body).toMatchObject({ body_state: 'shown', body: { parent: { page_id: 'harbor' }, markdown: `it's` } })
    expect(body['command']).toBe(
      [
        `curl -X POST '${server.url}/v1/pages'`,
        `-H "Authorization: Bearer $TOKEN"`,
        `-H 'Service-Version: 2026-03-11'`,
        `-H 'Content-Type: application/json'`,
        String.raw`-d '{"parent":{"page_id":"harbor"},"markdown":"it'\''s"}'`,
      ].join(' \\\n  '),
    )
  })

  it('200 for an owner without the body that another person sent, and without the message, which can quote it', async () => {
    const { body: seen } = await details(owner, ofOther)
    expect(seen['refused_request']).toMatchObject({ code: 'validation_error', message: null, locations: ['body.parent.page_id'] })
    expect(JSON.stringify(seen)).not.toContain('harbor')
    expect(seen).toMatchObject({ body_state: 'of_another_person', body: null })
    expect((await details(await ConsoleCaller.of(server, other.email), ofOther)).body).toMatchObject({ body_state: 'shown' })
  })

  it('404 with the same message for a request of others as for a missing one', async () => {
    const [hidden, missing] = [await details(member, first), await details(member, randomUUID())]
    expect([hidden.status, missing.status]).toEqual([404, 404])
    expect(hidden.body['message']).toBe(missing.body['message'])
  })
})
