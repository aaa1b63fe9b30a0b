import { expect, it } from 'vitest'
import { tablesWithoutWorkspace } from '../../harness/workspace_conditions.ts'

/** The check that every test file applies to the statements that it causes. */

const block = 'select b.id from blocks b where b.workspace_id = ? and b.id = ?'

it.each([
  [block],
  ['select id from blocks where workspace_id = ? and id = ?'],
  ['update blocks set in_trash = 1 where workspace_id = ? and id = ?'],
  ['insert into blocks (workspace_id, id) values (?, ?)'],
  ['select p.id from pages p join blocks b on b.workspace_id = p.workspace_id and b.id = p.id where p.workspace_id = ?'],
  ['select w.id, u.id from workspaces w join users u on u.workspace_id = w.id where w.id = ?'],
  [`${block} and exists (select 1 from grants g where g.workspace_id = ? and g.item_id = b.id)`],
  ['select 1 from unnest(?) as wanted (id) cross join lateral (select * from blocks as b where b.workspace_id = ? limit 1) as b'],
  ['select digest from tokens where digest = ?'],
])('the check of workspace conditions accepts %s', (sql) => {
  expect(tablesWithoutWorkspace(sql)).toEqual([])
})

it.each([
  ['select id from blocks where id = ?', ['blocks']],
  ['select id from workspaces', ['workspaces']],
  [`${block} and exists (select 1 from grants g where g.workspace_id = b.workspace_id and g.item_id = b.id)`, ['grants']],
  ['select p.id from pages p join blocks b on b.id = p.id where p.workspace_id = ?', ['blocks']],
  [
    'delete from cells where (workspace_id, page_id) in (select workspace_id, page_id from cells where workspace_id = ?)',
    ['cells'],
  ],
  [`${block} union all select id from pages`, ['pages']],
])('the check of workspace conditions reports %s', (sql, tables) => {
  expect(tablesWithoutWorkspace(sql)).toEqual(tables)
})
