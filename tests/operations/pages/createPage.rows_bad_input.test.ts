import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { makePage, text } from '../../harness/content.ts'
import { makeDatabase, makeRow, readRow } from '../../harness/databases_content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { idOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'
import { columnsOfEveryType } from './support/columns_of_every_type.ts'

const server = await serverOfFile()
const parent = await makePage(server.owner, 'Parent')
const made = await makeDatabase(server.owner, parent, columnsOfEveryType)

const write = (properties: object): Promise<TestResponse> =>
  server.owner.call('createPage', { body: { parent: { data_source_id: made.sourceId }, properties } })
const person = exampleWorkspace.people[1].id

describe('createPage of rows', () => {
  it('400 for properties that cannot be written, or values of another type', async () => {
    const body = 'body.properties'
    const cases: [object, string][] = [
      [{ Nope: { number: 1 } }, `${body}.Nope`],
      [{ Number: { checkbox: true } }, `${body}.Number`],
      [{ Number: null }, `${body}.Number`],
      [{ Number: { number: '1' } }, `${body}.Number.number`],
      [{ Number: [text('x')] }, `${body}.Number`],
      [{ Name: { title: [] }, title: { title: [] } }, `${body}.title`],
      [{ Select: { select: { name: 'a,b' } } }, `${body}.Select.select.name`],
      [{ Status: { status: { name: 'Nope' } } }, `${body}.Status.status.name`],
      [{ Url: { url: 'x'.repeat(2001) } }, `${body}.Url.url.length`],
      [{ Url: { url: '' } }, `${body}.Url.url.length`],
      [{ Date: { date: { start: '2026-05-01', time_zone: 'UTC' } } }, `${body}.Date.date.start`],
      [{ Date: { date: { start: '2026-05-01T00:00:00Z', time_zone: 'Nowhere' } } }, `${body}.Date.date.time_zone`],
      [{ Date: { date: { start: '2026-05-02', end: '2026-05-01' } } }, `${body}.Date.date.end`],
      [{ Place: { place: { lat: 91, lon: 0 } } }, `${body}.Place.place.lat`],
      [{ Verified: { verification: { state: 'expired' } } }, `${body}.Verified.verification.state`],
      [
        { Verified: { verification: { state: 'verified', date: { start: '2026-05-01' } } } },
        `${body}.Verified.verification.date.start`,
      ],
      [{ Files: { files: [{ name: 'f', file: { url: 'https://example.org/f' } }] } }, `${body}.Files.files[0].file.url`],
      [{ People: { people: Array.from({ length: 101 }, () => ({ id: person })) } }, `${body}.People.people.length`],
    ]
    for (const [properties, location] of cases) expectInvalid(await write(properties), location)
    for (const name of ['Id', 'Created', 'Author', 'Edited', 'Editor', 'Button']) {
      const read = (await readRow(server.owner, idOf(await makeRow(server.owner, made.sourceId))))['properties'] as Record<
        string,
        object
      >
      expectError(await write({ [name]: read[name] }), 400, 'validation_error')
      expect((await write({ [name]: { number: 1 } })).body['message']).toContain(`${body}.${name} should be not present`)
    }
  })

  it('400 for related pages of another data source or 101 related pages, and 404 for missing related pages and people', async () => {
    const { sourceId } = await makeDatabase(server.owner, parent, {
      To: { relation: { data_source_id: made.sourceId, single_property: {} } },
    })
    const link = (...ids: string[]): Promise<TestResponse> =>
      server.owner.call('createPage', {
        body: { parent: { data_source_id: sourceId }, properties: { To: { relation: ids.map((id) => ({ id })) } } },
      })
    expectInvalid(await link(idOf(await makeRow(server.owner, sourceId))), 'body.properties.To.relation[0].id')
    expectInvalid(await link(parent), 'body.properties.To.relation[0].id')
    expectInvalid(await link(...Array.from({ length: 101 }, () => randomUUID())), 'body.properties.To.relation.length')
    const missing = randomUUID()
    expectNotFound(await link(missing), missing)
    expectNotFound(await link(made.sourceId), made.sourceId)
    expectNotFound(await write({ People: { people: [{ id: missing }] } }), missing)
    expectNotFound(await write({ People: { people: [{ object: 'group', id: missing }] } }), missing)
  })

  it('400 when the parent database has several data sources', async () => {
    const two = await makeDatabase(server.owner, parent)
    const second = await server.owner.call('createDataSource', {
      body: { parent: { database_id: two.id }, properties: { Name: { title: {} } } },
    })
    const response = await server.owner.call('createPage', { body: { parent: { database_id: two.id } } })
    expectError(response, 400, 'validation_error')
    expect(response.body['additional_data']).toStrictEqual({
      error_type: 'multiple_data_sources_for_database',
      database_id: two.id,
      child_data_source_ids: [two.sourceId, idOf(second.body)],
      minimum_api_version: '2025-09-03',
    })
  })

  it('404 when the parent is missing or of another kind', async () => {
    const missing = randomUUID()
    for (const wrong of [{ data_source_id: missing }, { data_source_id: made.id }, { database_id: made.sourceId }]) {
      expectNotFound(await server.owner.call('createPage', { body: { parent: wrong } }), String(Object.values(wrong)[0]))
    }
  })

  it('400 when a row has a position', async () => {
    const body = { parent: { data_source_id: made.sourceId }, position: { type: 'page_start' } }
    expectInvalid(await server.owner.call('createPage', { body }), 'body.position')
  })

  it('406 when the data source has 250,000 rows', async () => {
    const { sourceId } = await makeDatabase(server.owner, parent)
    await server.service.database.write((db) =>
      db.run('update data_source_counters set row_count = 250000 where id = ?', sourceId),
    )
    const response = await server.owner.call('createPage', { body: { parent: { data_source_id: sourceId } } })
    expectError(response, 406, 'row_limit_exceeded', sourceId)
  })
})
