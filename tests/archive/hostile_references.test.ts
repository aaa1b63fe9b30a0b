import { describe, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { newId } from '../../server/kernel/ids.ts'
import { hostileExport, type Row } from './support/hostile.ts'

const UNKNOWN = newId()
const { added, edited, expectRefusal } = await hostileExport()
const { repairJobs } = exampleWorkspace.dataSources
const set =
  (changes: Readonly<Row>) =>
  (row: Row): void =>
    void Object.assign(row, changes)
const cellOf =
  (column: string) =>
  (row: Row): boolean =>
    row['data_source_id'] === repairJobs && row['property_id'] === column

/** A row of each table that the sample workspace leaves empty, with an unknown user. */
const ADDED: readonly [table: string, column: string, row: Row][] = [
  ['access_rules', 'subject_id', { item_id: exampleWorkspace.pages.launchPlan, level: 'full', created_time: 0 }],
  ['agent_favorites', 'user_id', { agent_id: exampleWorkspace.agents.partsScout }],
  ['meeting_note_people', 'user_id', { created_time: 0 }],
  ['agent_limit_requests', 'user_id', { agent_id: exampleWorkspace.agents.partsScout, created_time: 0 }],
  [
    'outbox',
    'author_id',
    {
      stream: 'window',
      type: 'page.created',
      time: 0,
      details: '{}',
      listeners: '{}',
      entity_id: exampleWorkspace.pages.launchPlan,
    },
  ],
]

describe('import refuses references to people missing from the export, and leaves nothing:', () => {
  it.each<[table: string, column: string]>([
    ['blocks', 'created_by'],
    ['blocks', 'last_edited_by'],
    ['views', 'created_by'],
    ['views', 'last_edited_by'],
    ['comments', 'created_by'],
    ['agents', 'created_by'],
    ['users', 'owner_id'],
  ])('%s.%s', async (table, column) => {
    const message = new RegExp(`${table}, line 1, ${column}: expected the id of a row of users, found "${UNKNOWN}"`)
    await expectRefusal(edited(table, set({ [column]: UNKNOWN }))(), message)
  })

  it.each(ADDED)('%s.%s', async (table, column, row) => {
    const message = new RegExp(`${table}, line \\d+, ${column}: expected the id of a row of users, found "${UNKNOWN}"`)
    await expectRefusal(added(table, { ...row, [column]: UNKNOWN })(), message)
  })
})

describe('import refuses an index entry that does not match its row, and leaves nothing:', () => {
  it.each<[string, () => string, RegExp]>([
    ['of a missing page', edited('cells', set({ page_id: UNKNOWN })), /line 1, page_id: expected the id of a row of a data/],
    [
      'of a page outside data sources',
      edited('cells', set({ page_id: exampleWorkspace.pages.launchPlan })),
      /page_id: expected the id of a row of a data source/,
    ],
    [
      'of another data source',
      edited('cells', set({ data_source_id: exampleWorkspace.dataSources.boats }), cellOf('cost')),
      new RegExp(`data_source_id: expected ${repairJobs}, as its page has it`),
    ],
    ['of a row in the trash', edited('cells', set({ in_trash: 1 }), cellOf('cost')), /in_trash: expected 0, as its page has it/],
    ['with another time', edited('cells', set({ tie: 5 }), cellOf('cost')), /tie: expected -\d+, as its page has it, found 5/],
    [
      'of a missing column',
      edited('cells', set({ property_id: 'zzzz' }), cellOf('cost')),
      /property_id: expected a column of the data source, found "zzzz"/,
    ],
    [
      'of a column without stored values',
      edited('cells', set({ property_id: 'butn' }), cellOf('cost')),
      /property_id: expected a column with values, found "butn"/,
    ],
    [
      'with a text instead of a number',
      edited('cells', set({ number_key: null, text_key: 'x' }), cellOf('cost')),
      /number_key: expected a number, found null/,
    ],
    [
      'with a number instead of a text',
      edited('cells', set({ number_key: 1, text_key: null }), cellOf('note')),
      /text_key: expected a text, found null/,
    ],
    [
      'with a missing option',
      edited('cells', set({ text_key: 'none' }), cellOf('prio')),
      /text_key: expected the id of an option of the column, found "none"/,
    ],
    [
      'with a link to a missing page',
      edited('cells', set({ text_key: UNKNOWN }), cellOf('boat')),
      /cells, line \d+, text_key: expected the id of a row of pages, found/,
    ],
    [
      'with a link that is not an id',
      edited('cells', set({ text_key: `x' or 1=1` }), cellOf('boat')),
      /cells, line \d+, text_key: expected the id of a row of pages, found "x' or/,
    ],
    [
      'with a person outside the workspace',
      edited('cells', set({ text_key: UNKNOWN }), cellOf('ownr')),
      /text_key: expected the id of a row of users or member_groups, found/,
    ],
  ])('%s', async (_what, from, message) => {
    await expectRefusal(from(), message)
  })
})
