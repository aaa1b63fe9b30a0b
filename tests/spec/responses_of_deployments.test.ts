/** Responses of other deployments fit the contract as of their date. From this service, they would be faults. */

import { expect, test } from 'vitest'
import type { ReleaseDate } from '../../generated/types.ts'
import { DatedContract } from '../../conformance/src/dated_contract.ts'
import { newestRelease, releaseDates } from '../../server/versions/index.ts'
import { publicContract, validatorOf } from '../harness/contract.ts'

const ID = '5a1e7f3c-2b4d-4c6e-8f90-1a2b3c4d5e6f'
const TIME = '2022-05-04T09:30:00.000Z'
const WRITTEN_WITH_OFFSET = '2026-05-04T09:30:00.000+00:00'
const user = { object: 'user', id: ID }
const text = {
  type: 'text',
  text: { content: 'Tide', link: null },
  annotations: { bold: false, italic: false, strikethrough: false, underline: false, code: false, color: 'default' },
  plain_text: 'Tide',
  href: null,
}
const times = { created_time: TIME, last_edited_time: TIME }
const looks = { icon: null, cover: null, url: 'https://example.com/tide' }
const title = { id: 'title', type: 'title', title: [text] }
const page = { object: 'page', id: ID, ...times, archived: false, parent: { type: 'page_id', page_id: ID } }
const rowOf = (properties: object): object => ({
  ...page,
  ...looks,
  parent: { type: 'database_id', database_id: ID },
  properties,
})
const database = { object: 'database', id: ID, ...times, title: [text], parent: page.parent }
const block = { object: 'block', id: ID, ...times, has_children: false }
const list = { object: 'list', results: [], has_more: false, next_cursor: null }
const fileUpload = {
  object: 'file_upload',
  id: ID,
  ...times,
  created_by: { id: ID, type: 'bot' },
  archived: false,
  expiry_time: null,
}
const view = { object: 'view', id: ID, ...times, parent: { type: 'database_id', database_id: ID }, name: 'All', type: 'table' }
const bot = (info: object): object => ({ ...user, type: 'bot', name: 'Tide', avatar_url: null, bot: info })
const workspaceOwner = { owner: { type: 'workspace', workspace: true } }
const newestDatabase = { ...database, ...looks, description: [], is_inline: false, in_trash: false, is_locked: false }

const responses: [what: string, date: ReleaseDate, schema: string, answer: object][] = [
  ['a page without the keys of 2021', '2021-05-13', 'PageObject', { ...page, properties: { Name: title } }],
  ['a page without later keys', '2021-08-16', 'PageObject', { ...page, ...looks, properties: { Name: title } }],
  ['a page without later keys', '2022-06-28', 'PageObject', rowOf({ Name: title })],
  ['a property without its value', '2022-06-28', 'PageObject', rowOf({ Name: { id: 'title' } })],
  ['a relation without `has_more`', '2022-02-22', 'PageObject', rowOf({ Crew: { id: 'a', type: 'relation', relation: [] } })],
  [
    'a row without `database_id` in its parent',
    '2025-09-03',
    'PageObject',
    { ...page, ...looks, parent: { type: 'data_source_id', data_source_id: ID }, in_trash: false, properties: { Name: title } },
  ],
  [
    'a database without later keys',
    '2021-05-13',
    'DatabaseObject',
    { ...database, properties: { Name: { ...title, title: {} } } },
  ],
  [
    'a relation without `data_source_id`',
    '2022-06-28',
    'DatabaseObject',
    {
      ...newestDatabase,
      archived: false,
      properties: {
        Crew: {
          id: 'a',
          name: 'Crew',
          type: 'relation',
          relation: { database_id: ID, type: 'single_property', single_property: {} },
        },
        State: { id: 'b', name: 'State', type: 'select', select: { options: [{ id: 'c', name: 'Open', color: 'red' }] } },
      },
    },
  ],
  ['a paragraph without color and parent', '2021-05-13', 'Block', { ...block, type: 'paragraph', paragraph: { text: [text] } }],
  [
    'a paragraph without `icon`',
    '2025-09-03',
    'Block',
    { ...block, parent: page.parent, archived: false, type: 'paragraph', paragraph: { rich_text: [text], color: 'default' } },
  ],
  [
    'an unsupported block without its kind',
    '2022-06-28',
    'Block',
    {
      ...block,
      parent: page.parent,
      created_by: user,
      last_edited_by: user,
      archived: false,
      type: 'unsupported',
      unsupported: {},
    },
  ],
  ['a bot without its workspace', '2022-06-28', 'User', bot({ ...workspaceOwner, workspace_name: 'Harbour' })],
  ['a bot without the name of its workspace', '2021-08-16', 'User', bot(workspaceOwner)],
  [
    'a comment without `display_name`',
    '2022-06-28',
    'Comment',
    { object: 'comment', id: ID, parent: page.parent, discussion_id: ID, ...times, created_by: user, rich_text: [text] },
  ],
  [
    'a file upload without `in_trash`',
    '2025-09-03',
    'FileUploadObject',
    { ...fileUpload, status: 'uploaded', filename: 'tide.png', content_type: 'image/png', content_length: 4 },
  ],
  ['a query of pages', '2022-02-22', 'DatabaseQueryResponse', { ...list, type: 'page', page: {} }],
  ['a query of pages', '2022-06-28', 'DatabaseQueryResponse', { ...list, type: 'page', page: {} }],
  [
    'an error without `request_id`',
    '2022-02-22',
    'ObjectNotFoundError',
    { object: 'error', status: 404, code: 'object_not_found', message: 'Could not find page.' },
  ],
  ['a list of emojis without its kind', newestRelease, 'CustomEmojiList', { ...list, type: 'custom_emoji' }],
  [
    'a list of templates without an envelope',
    newestRelease,
    'TemplateList',
    { templates: [], has_more: false, next_cursor: null },
  ],
  ['a place without a name', newestRelease, 'PlaceValue', { lat: 45.4, lon: 12.3 }],
  ['a view without settings', newestRelease, 'ViewObject', { ...view, url: looks.url }],
  ['a time with an offset', newestRelease, 'Timestamp', WRITTEN_WITH_OFFSET as never],
]

function published(date: ReleaseDate, schema: string, value: unknown): string | undefined {
  return DatedContract.of(date).problemOf({ $ref: `#/components/schemas/${schema}` }, value)?.text
}

test.each(responses)('the contract accepts %s at %s, although this service sends more', (_what, date, schema, response) => {
  expect(published(date, schema, response)).toBeUndefined()
  expect(validatorOf({ $ref: `#/components/schemas/${schema}` }, publicContract(date))(response)).toBe(false)
})

test.each(['in_trash', 'is_archived', 'is_locked', 'public_url', 'created_by'])(
  'a page has `%s` since the newest release',
  (key) => {
    const { archived: _archived, ...rest } = {
      ...page,
      ...looks,
      created_by: user,
      last_edited_by: user,
      properties: { Name: title },
    }
    const whole = { ...rest, in_trash: false, is_archived: false, is_locked: false, public_url: null }
    const without = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== key))
    expect(published(newestRelease, 'PageObject', whole)).toBeUndefined()
    expect(published(newestRelease, 'PageObject', without)).toContain(key)
  },
)

test('a person may state whether the email address is verified', () => {
  const person = (email_verified: unknown): object => ({
    ...user,
    type: 'person',
    name: 'Ines',
    avatar_url: null,
    person: { email: 'ines@northshore.example', email_verified },
  })
  for (const date of releaseDates) {
    expect(published(date, 'User', person(true))).toBeUndefined()
    expect(published(date, 'User', person('yes'))).toContain('must be boolean')
  }
})

test('a time whose offset is neither Z nor +00:00 does not fit any contract', () => {
  const times = ['+01:00', '-00:00', '+0000', ''].map((offset) => WRITTEN_WITH_OFFSET.replace('+00:00', offset))
  for (const date of releaseDates)
    expect(times.map((time) => published(date, 'Timestamp', time) === undefined)).toEqual(times.map(() => false))
})
