import { expect } from 'vitest'
import { exampleWorkspace } from '../../../../server/bootstrap/example_workspace.ts'
import type { TestResponse } from '../../../harness/responses.ts'
import { makePage, text } from '../../../harness/content.ts'
import { makeDatabase, makeRow, plainValues, type MadeDatabase } from '../../../harness/databases_content.ts'
import { idOf, resultsOf, type JsonObject } from '../../../harness/json.ts'
import { startTestServer, type TestServer } from '../../../harness/server.ts'
import { textColumns, textValues } from '../../../harness/text_types.ts'

/** A data source with a column of every type and four rows, for the tests of queries. */

// The clock of tests is set to 2026-05-16T04:30Z, a Saturday.
export const [first, second] = [exampleWorkspace.people[0].id, exampleWorkspace.people[1].id]

export let server: TestServer
export let parent: string
export let made: MadeDatabase
/** Ids of rows by name. */
export const rows = new Map<string, string>()

export async function prepareRows(): Promise<TestServer> {
  server = await startTestServer()
  parent = await makePage(server.owner, 'Parent')
  const target = await makeDatabase(server.owner, parent)
  for (const name of ['Zinc', 'Ash']) rows.set(name, idOf(await makeRow(server.owner, target.sourceId, title(name))))
  made = await makeDatabase(server.owner, parent, {
    Text: { rich_text: {} },
    Url: { url: {} },
    Email: { email: {} },
    ...textColumns,
    Number: { number: {} },
    Check: { checkbox: {} },
    Select: { select: { options: [{ name: 'low' }, { name: 'high' }, { name: 'a,b'.replace(',', ' ') }] } },
    Multi: { multi_select: { options: [{ name: 'x' }, { name: 'y' }, { name: 'z' }] } },
    Status: { status: {} },
    Date: { date: {} },
    People: { people: {} },
    Files: { files: {} },
    Relation: { relation: { data_source_id: target.sourceId, single_property: {} } },
    Verified: { verification: {} },
    Place: { place: {} },
    Id: { unique_id: { prefix: 'JOB' } },
    Created: { created_time: {} },
    Author: { created_by: {} },
    Edited: { last_edited_time: {} },
    Editor: { last_edited_by: {} },
    Button: { button: {} },
    Location: { location: {} },
    Visited: { last_visited_time: {} },
  })
  const values: Record<string, object> = {
    alpha: {
      Text: { rich_text: [text('Larch'), text(' plank')] },
      Url: { url: 'https://Yard.example/a' },
      Email: { email: 'a@yard.example' },
      ...textValues,
      Number: { number: 1 },
      Check: { checkbox: true },
      Select: { select: { name: 'low' } },
      Multi: { multi_select: [{ name: 'y' }, { name: 'x' }] },
      Status: { status: { name: 'Done' } },
      Date: { date: { start: '2026-05-16' } },
      People: { people: [{ id: second }] },
      Files: { files: [{ name: 'b.pdf', external: { url: 'https://yard.example/b.pdf' } }] },
      Relation: { relation: [{ id: rows.get('Zinc') }] },
      Verified: { verification: { state: 'verified' } },
      Place: { place: { lat: 1, lon: 2, name: 'Quay' } },
    },
    Beta: {
      Text: { rich_text: [text('ÉCLAIR')] },
      Number: { number: -2.5 },
      Select: { select: { name: 'high' } },
      Multi: { multi_select: [{ name: 'x' }] },
      Status: { status: { name: 'In progress' } },
      Date: { date: { start: '2026-05-16T23:30:00-02:00', end: '2026-05-18T00:00:00Z' } },
      People: { people: [{ id: first }, { id: second }] },
      Files: { files: [{ name: 'A.pdf', external: { url: 'https://yard.example/a.pdf' } }] },
      Relation: { relation: [{ id: rows.get('Ash') }, { id: rows.get('Zinc') }] },
      Verified: {
        verification: { state: 'verified', date: { start: '2026-01-01T00:00:00Z', end: '2026-02-01T00:00:00Z' } },
      },
      Place: { place: { lat: 1, lon: 2, name: 'boathouse' } },
    },
    gamma: {
      Number: { number: 1 },
      Date: { date: { start: '2026-04-16' } },
      Multi: { multi_select: [{ name: 'z' }] },
    },
    // Has only a title.
    delta: { Text: { rich_text: [text('')] } },
  }
  for (const [name, properties] of Object.entries(values)) {
    server.clock.advance(1_000)
    rows.set(name, idOf(await makeRow(server.owner, made.sourceId, { ...title(name), ...properties })))
  }
  return server
}

export const title = (name: string): object => ({ Name: { title: [text(name)] } })
export const query = (body: object = {}, more: object = {}): Promise<TestResponse> =>
  server.owner.call('queryDataSource', { path: { data_source_id: made.sourceId }, body, ...more })

export function nameOf(row: JsonObject): string {
  const [run] = plainValues(row)['Name'] as { plain_text: string }[]
  return run?.plain_text ?? ''
}

/** Names of the rows that a query returns. */
export async function names(body: object): Promise<string[]> {
  const response = await query(body, { query: 'filter_properties=title' })
  expect(response.status, response.text).toBe(200)
  return resultsOf(response.body).map(nameOf)
}

export const sorted = (list: readonly string[]): string[] => list.toSorted()
export const ALL = ['alpha', 'Beta', 'gamma', 'delta']
