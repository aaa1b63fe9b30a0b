import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { createPerson } from '../../server/domain/administration/people.ts'
import { makeConnection, makeMember } from '../harness/connections.ts'
import { textAt, type JsonObject } from '../harness/json.ts'
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

/** Sends a request that is refused. @returns its id, once it is stored */
async function refused(program = caller): Promise<string> {
  const { body } = await program.call('createPage', { body: { parent: { page_id: 'harbor' }, markdown: `it's` } })
  const id = textAt(body, 'request_id')
  await expect.poll(async () => idsOf((await owner.call('listRefusedRequests')).body), { timeout: 20_000 }).toContain(id)
  return id
}

const idsOf = (list: JsonObject): unknown[] => (list['results'] as JsonObject[]).map((one) => one['request_id'])
const details = (viewer: ConsoleCaller, id: string): ReturnType<ConsoleCaller['call']> =>
  viewer.call('retrieveRefusedRequest', { path: { request_id: id } })

describe('listRefusedRequests', () => {
  it('200 with the requests of all connections of the workspace for an owner, newest first', async () => {
    const [first, second] = [await refused(), await refused()]
    const { body } = await owner.call('listRefusedRequests')
    expect(idsOf(body).slice(0, 2)).toEqual([second, first])
    expect((body['results'] as unknown[])[0]).toMatchObject({
      ...{ status: 400, code: 'validation_error', method: 'POST', path: '/v1/pages', operation: 'createPage' },
      reference: '/docs/operations/createPage',
      workspace: { id: workspaceId, name: exampleWorkspace.workspace.name },
      connection: { id: connectionId, name: 'Crate Counter' },
      member: null,
      locations: ['body.parent.page_id'],
    })
  })

  it('200 with the requests that match the status and the operation', async () => {
    const id = await refused()
    for (const query of [{ status: '400' }, { operation: 'createPage' }, { status: '400', operation: 'createPage' }])
      expect(idsOf((await owner.call('listRefusedRequests', { query })).body)).toContain(id)
    for (const query of [{ status: '404' }, { operation: 'updatePage' }])
      expect(idsOf((await owner.call('listRefusedRequests', { query })).body)).not.toContain(id)
    const wrong = await owner.call('listRefusedRequests', { query: { status: '200' } })
    expect([wrong.status, wrong.body['message']]).toEqual([400, expect.stringContaining('query.status')])
  })

  it('200 with only their own requests for people who are not owners', async () => {
    const own = await refused(await makeMember(server, other.id))
    const ofConnection = await refused()
    const viewer = await ConsoleCaller.of(server, other.email)
    const isOwner = ((await viewer.call('retrieveSession')).body['workspaces'] as JsonObject[])[0]?.['role'] === 'owner'
    expect(isOwner).toBe(false)
    const ids = idsOf((await viewer.call('listRefusedRequests')).body)
    expect([ids.includes(own), ids.includes(ofConnection)]).toEqual([true, false])
    expect(idsOf((await member.call('listRefusedRequests')).body)).toEqual([])
  })
})

describe('retrieveRefusedRequest', () => {
  it('200 with the body and a command that repeats the request', async () => {
    const { body } = await details(owner, await refused())
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

  it('200 for an owner without the body that another person sent', async () => {
    const id = await refused(await makeMember(server, other.id))
    expect((await details(owner, id)).body).toMatchObject({ body_state: 'of_another_person', body: null })
    expect((await details(owner, id)).body['command']).not.toContain('harbor')
    expect((await details(await ConsoleCaller.of(server, other.email), id)).body).toMatchObject({ body_state: 'shown' })
  })

  it('404 with the same message for a request of others as for a missing one', async () => {
    const [hidden, missing] = [await details(member, await refused()), await details(member, randomUUID())]
    expect([hidden.status, missing.status]).toEqual([404, 404])
    expect(hidden.body['message']).toBe(missing.body['message'])
  })
})
