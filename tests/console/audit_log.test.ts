import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { recordCommand } from '../../server/domain/administration/audit_log.ts'
import { createPerson } from '../../server/domain/administration/people.ts'
import { createWorkspace } from '../../server/domain/administration/workspaces.ts'
import { makeConnection } from '../harness/connections.ts'
import { idOf, resultsOf, type JsonObject } from '../harness/json.ts'
import { serverOfFile } from '../harness/server.ts'
import { ConsoleCaller } from './support/console_caller.ts'

const [ines, other] = exampleWorkspace.people
const workspaceId = exampleWorkspace.workspace.id
const server = await serverOfFile()
const { database } = server.service
const owner = await ConsoleCaller.of(server, ines.email)
const { caller, connectionId, botId } = await makeConnection(server, {
  name: 'Crate Counter',
  capabilities: ['insert_content'],
  grants: [workspaceId],
})

const newPage = async (): Promise<string> =>
  idOf((await caller.call('createPage', { body: { parent: { page_id: exampleWorkspace.pages.handbook } } })).body)
const page = await newPage()

const list = (viewer: ConsoleCaller, query: Readonly<Record<string, string>> = {}, workspace: string = workspaceId) =>
  viewer.call('listAuditEntries', { path: { workspace_id: workspace }, query })
const found = async (query: Readonly<Record<string, string>>): Promise<JsonObject[]> => resultsOf((await list(owner, query)).body)

describe('listAuditEntries', () => {
  it('200 for an owner, with the actor, the target, the request and the address of each change', async () => {
    expect(await found({ object_id: page })).toEqual([
      {
        object: 'audit_entry',
        time: new Date(server.clock.now()).toISOString(),
        actor: { type: 'bot', id: botId, name: 'Crate Counter' },
        action: 'createPage',
        target: { type: 'page', id: page, name: null },
        request_id: expect.any(String) as string,
        address: '127.0.0.1',
      },
    ])
  })

  it('200 with the entries that match the time, the actor and the action', async () => {
    const act = { workspaceId, action: 'user role', object: { type: 'user', id: other.id, name: other.email } }
    await database.write((db) => recordCommand(db, act, server.clock.now()))
    const actions = async (query: Readonly<Record<string, string>>): Promise<unknown[]> =>
      (await found(query)).map(({ action }) => action)
    expect(await actions({ actor: 'command_line' })).toEqual(['user role'])
    expect(await actions({ actor: connectionId })).toEqual(['createPage'])
    expect(await actions({ actor: botId })).toEqual(['createPage'])
    expect(await actions({ object_id: page.replaceAll('-', '') })).toEqual(['createPage'])
    expect(await actions({ action: 'user role' })).toEqual(['user role'])
    expect(new Set(await actions({ actor: ines.id }))).toEqual(new Set(['browser_session.started']))
    expect(await actions({ since: new Date(server.clock.now() + 1).toISOString() })).toEqual([])
    for (const [name, value] of [
      ['actor', 'Ines'],
      ['since', 'today'],
      ['cursor', '1'],
      ['object_id', 'x'],
    ] as const) {
      const { status, body } = await list(owner, { [name]: value })
      expect([status, body['message']]).toEqual([400, expect.stringContaining(`query.${name}`)])
    }
  })

  it('200 with 50 entries and the cursor of the next page, until the last one', async () => {
    for (let count = 0; count < 60; count += 1) await newPage()
    const first = (await list(owner, { action: 'createPage' })).body
    const second = (await list(owner, { action: 'createPage', cursor: String(first['next_cursor']) })).body
    const ids = [first, second].flatMap((one) => resultsOf(one)).map(({ request_id: id }) => id)
    expect([resultsOf(first).length, ids.length, new Set(ids).size, second['next_cursor']]).toEqual([50, 61, 61, null])
  })

  it('200 without entries, but with a cursor, when the newest 20,000 do not match the filter', async () => {
    const time = server.clock.now()
    await database.write((db) =>
      db.run(
        `insert into audit_log (workspace_id, created_time, action) with recursive n(i) as (select 1 union all select i + 1 from n
           where i < 20000) select w.id, w.created_time + ?, 'updateBlock' from n, workspaces w where w.id = ?`,
        2 * time,
        workspaceId,
      ),
    )
    const { body } = await list(owner, { object_id: page })
    expect([resultsOf(body), body['next_cursor']]).toEqual([[], expect.stringMatching(/^\d+-\d+$/)])
    const next = (await list(owner, { object_id: page, cursor: String(body['next_cursor']) })).body
    expect([resultsOf(next).map(({ action }) => action), next['next_cursor']]).toEqual([['createPage'], null])
    await database.write((db) => db.run("delete from audit_log where action = 'updateBlock'"))
  })

  it('404 with the same message for people who do not own the workspace as for a missing workspace', async () => {
    const elsewhere = await database.write(async (db) => {
      const id = await createWorkspace(db, 'Elsewhere', server.clock.now())
      const person = { workspaceId: id, email: 'nora@boats.example', name: 'Nora', role: 'owner' } as const
      await createPerson(db, person, server.clock.now())
      return id
    })
    const stranger = await ConsoleCaller.of(server, 'nora@boats.example')
    const responses = [
      await list(await ConsoleCaller.of(server, other.email)),
      await list(stranger),
      await list(owner, {}, elsewhere),
      await list(owner, {}, randomUUID()),
    ]
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect(new Set(responses.map(({ body }) => body['message'])).size).toBe(1)
    expect(resultsOf((await list(stranger, {}, elsewhere)).body).map(({ action }) => action)).toEqual(['browser_session.started'])
  })
})
