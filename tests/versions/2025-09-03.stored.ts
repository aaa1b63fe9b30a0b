import type { JsonObject } from '../../server/versions/json.ts'
import { databaseWith, dataSource, ID, plain, type Stored } from './support.ts'

// Stored data for the tests of 2025-09-03: a database with one data source, and with two.

export const only = dataSource()
export const other = dataSource({ id: ID.otherDataSource })
export const one: Stored = { databases: [{ database: databaseWith([only]), dataSources: [only] }] }
export const two: Stored = { databases: [{ database: databaseWith([only, other]), dataSources: [only, other] }] }

export const merged: JsonObject = {
  object: 'database',
  id: ID.database,
  title: [],
  description: [plain('All sails')],
  parent: { type: 'page_id', page_id: ID.page },
  is_inline: false,
  in_trash: false,
  created_time: '2026-05-01T08:00:00.000Z',
  created_by: { object: 'user', id: ID.user },
  last_edited_time: '2026-05-03T08:00:00.000Z',
  last_edited_by: { object: 'user', id: ID.user },
  icon: null,
  cover: null,
  url: 'https://workspace.example/2b7e5c148d934f6aa1c0d4f8e6b29357',
  public_url: null,
  properties: { Name: { id: 'title', name: 'Name', description: null, type: 'title', title: {} } },
}
