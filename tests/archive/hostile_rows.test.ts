import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { newId } from '../../server/kernel/ids.ts'
import { hostileExport } from './support/hostile.ts'

const { added, copy, edited, expectRefusal, forged, other } = await hostileExport()

const isParagraph = (row: Record<string, unknown>): boolean => row['type'] === 'paragraph'
const UNKNOWN = newId()

describe('import refuses a forged row, names table, line, column, expected and found value, and leaves nothing:', () => {
  it.each<[string, () => string, RegExp]>([
    ['a block of another workspace', edited('blocks', (row) => (row['workspace_id'] = other())), /blocks, line 1, workspace_id/],
    ['a token of another workspace', edited('tokens', (row) => (row['workspace_id'] = other())), /tokens, line 1, workspace_id/],
    [
      'a webhook of another workspace',
      () => added('webhook_workspaces', { home_id: other() })(),
      /webhook_workspaces, line 1, home_id/,
    ],
    ['bytes of another workspace', edited('file_parts', (row) => (row['object_workspace_id'] = other())), /object_workspace_id/],
    ['an id that is a path', edited('pages', (row) => (row['id'] = '../../etc/passwd')), /pages, line 1, id: expected an id/],
    ['an unknown type', edited('blocks', (row) => (row['type'] = 'gadget')), /blocks, line 1, type: expected one of/],
    ['an unknown kind', edited('users', (row) => (row['kind'] = 'root')), /users, line 1, kind: expected one of person, bot/],
    [
      'an unknown role',
      edited(
        'users',
        (row) => (row['role'] = 'god'),
        (row) => row['kind'] === 'person',
      ),
      /users, line \d+, role/,
    ],
    ['an unknown kind of parent', edited('blocks', (row) => (row['parent_type'] = 'moon')), /blocks, line 1, parent_type/],
    ['a missing parent', edited('blocks', (row) => (row['parent_id'] = UNKNOWN)), /blocks, line \d+, parent_id/],
    ['a missing page', edited('blocks', (row) => (row['page_id'] = UNKNOWN), isParagraph), /blocks, line \d+, page_id/],
    [
      'a block inside itself',
      edited('blocks', (row) => Object.assign(row, { parent_type: 'block_id', parent_id: row['id'] }), isParagraph),
      /blocks, line \d+, parent_id: expected a parent in the tree of the workspace/,
    ],
    [
      'a time of 1e300',
      edited('blocks', (row) => (row['created_time'] = 1e300)),
      /blocks, line 1, created_time: expected a time/,
    ],
    ['a time before 1970', edited('blocks', (row) => (row['last_edited_time'] = -2)), /last_edited_time: expected a time/],
    ['a flag of 7', edited('blocks', (row) => (row['in_trash'] = 7)), /blocks, line 1, in_trash: expected 0 or 1, found 7/],
    [
      'content that is not JSON',
      edited('blocks', (row) => (row['content'] = '{"rich')),
      /blocks, line 1, content: expected JSON/,
    ],
    [
      'content of an unknown form',
      edited('blocks', (row) => (row['content'] = '{"rich_text":[{"type":"text","text":{}}]}'), isParagraph),
      /blocks, line \d+, content\.rich_text\[0\]\.text\.content: expected a text, found nothing/,
    ],
    [
      'a schema without a title',
      edited('data_sources', (row) => (row['properties'] = '[]')),
      /properties: expected a list with a title/,
    ],
    [
      'values that are a list',
      edited('pages', (row) => (row['row_values'] = '[]')),
      /pages, line 1, row_values: expected an object/,
    ],
    [
      'capabilities that are a text',
      edited('connections', (row) => (row['capabilities'] = '"all"')),
      /capabilities: expected a list/,
    ],
    [
      'a comment that is a number',
      edited('comments', (row) => (row['rich_text'] = '7')),
      /comments, line 1, rich_text: expected a list/,
    ],
    [
      'a name of 100,001 characters',
      edited('users', (row) => (row['name'] = 'x'.repeat(100_001))),
      /users, line 1, name: expected a text of/,
    ],
    ['U+0000', edited('users', (row) => (row['name'] = 'a\0b')), /users, line 1, name: expected a text of/],
    [
      'content of 3 MB',
      edited('blocks', (row) => (row['content'] = `{"rich_text":[],"more":"${'x'.repeat(3_000_000)}"}`), isParagraph),
      /blocks, line \d+, content: expected a text of up to 2048000 bytes, found 3000026 bytes/,
    ],
    [
      'values of 9 MB',
      edited('pages', (row) => (row['row_values'] = `{"note":"${'é'.repeat(4_500_000)}"}`)),
      /pages, line 1, row_values: expected a text of up to 8192000 bytes, found 9000011 bytes/,
    ],
    [
      'settings of 10,000 levels',
      edited('views', (row) => (row['settings'] = nested(10_000))),
      /views, line 1, settings: expected up to 128 levels of lists and objects, found more/,
    ],
    [
      'a row of 10,000 levels',
      () => forged(() => appendLine(nested(10_000))),
      /views, line \d+: expected up to 128 levels of lists and objects, found more/,
    ],
    [
      'a number that is infinite',
      edited('pages', (row) => (row['row_values'] = '{"cost":1e999}')),
      /pages, line 1, row_values\.cost: expected the value of a property, found Infinity/,
    ],
    [
      'NaN in JSON',
      edited('pages', (row) => (row['row_values'] = '{"cost":NaN}')),
      /pages, line 1, row_values: expected JSON, found "/,
    ],
    ['NaN in a line', () => forged(() => appendLine('[NaN]')), /views, line \d+: expected JSON in UTF-8, found something else/],
    [
      'null as a text',
      edited('blocks', (row) => (row['rank'] = null)),
      /blocks, line 1, rank: expected a text of .*, found null/,
    ],
    [
      'a list as a value',
      edited('blocks', (row) => (row['rank'] = [])),
      /blocks, line 1, rank: expected a text, a number or null/,
    ],
    ['bytes that are not Base64', edited('tokens', (row) => (row['digest'] = '***')), /tokens, line 1, digest: expected bytes/],
    [
      'a file longer than its record',
      edited('file_parts', (row) => (row['byte_length'] = 1)),
      /file_parts, line 1, byte_length: expected 1 bytes/,
    ],
    [
      'a redirect URI with a dot segment',
      edited('connections', (row) => (row['redirect_uris'] = '["https://planner.example/a/../b"]')),
      /connections, line 1, redirect_uris: expected addresses that can be registered, found: .*dot segment/,
    ],
    [
      'an account of a person outside the workspace',
      edited('accounts', (row) => (row['id'] = UNKNOWN)),
      /accounts, line 1, id: expected the id of a person/,
    ],
    [
      'two rows with one key',
      () => forged(() => doubled('views')),
      /views, lines 1 to \d+: expected rows that do not conflict with existing ones, found: /,
    ],
    ['a second workspace', () => forged(() => doubled('workspaces')), /workspaces: expected 1 row, found 2/],
    [
      'a line of 33 MB',
      () => forged(() => appendLine(`["${'x'.repeat(33 * 1024 * 1024)}"]`)),
      /views, line \d+: expected up to \d+ bytes, found more/,
    ],
  ])('%s', { timeout: 30_000 }, async (_what, from, message) => {
    await expectRefusal(from(), message)
  })
})

function doubled(table: string): void {
  const path = join(copy, 'tables', `${table}.jsonl`)
  appendFileSync(path, `${readFileSync(path, 'utf8').split('\n')[0] ?? ''}\n`)
}

function appendLine(line: string): void {
  appendFileSync(join(copy, 'tables', 'views.jsonl'), `${line}\n`)
}

function nested(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels)
}
