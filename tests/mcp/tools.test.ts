import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { makePage } from '../harness/content.ts'
import { makeDatabase } from '../harness/databases_content.ts'
import { serverOfFile, TOKEN } from '../harness/server.ts'
import { assistantOf } from './support/assistant.ts'

const server = await serverOfFile()
const assistant = await assistantOf(server.url, TOKEN)

const [person] = exampleWorkspace.people

/** A page of its own for a test. */
async function newPage(markdown = 'One\n\nTwo\n\nThree'): Promise<string> {
  const { id } = await assistant.json('create_page', { title: 'Log', markdown })
  return String(id)
}

async function textOf(page: string): Promise<string> {
  return (await assistant.call('read_page', { page })).text
}

describe('the MCP tools for pages', () => {
  it('find pages by words in their titles, and return ids for other tools', async () => {
    const { id } = await assistant.json('create_page', { title: 'Quarterly tide report' })
    const found = await assistant.json('search', { query: 'tide report' })
    expect(found).toMatchObject({ results: [{ id, kind: 'page', title: 'Quarterly tide report' }] })
  })

  it('read a page as Markdown with title and id, by id or URL', async () => {
    const page = await newPage('# Plan\n\n- [ ] Check the sill')
    for (const written of [page, page.replaceAll('-', ''), `https://workspace.example/Log-${page.replaceAll('-', '')}?v=1`]) {
      const { text } = await assistant.call('read_page', { page: written })
      expect(text).toContain(`# Log\nid: ${page}`)
      expect(text).toContain('# Plan\n- [ ] Check the sill')
    }
  })

  it('read a long page in parts, which together are the whole text', async () => {
    const lines = Array.from({ length: 1_200 }, (_line, index) => `Line ${index} of a long page of the log`)
    const page = await newPage(lines.join('\n\n'))
    let read = ''
    for (let from: number | undefined = 0; from !== undefined;) {
      const { text } = await assistant.call('read_page', { page, from })
      expect(text.length).toBeLessThan(21_000)
      read += text
      const [, next] = /call read_page with from: (\d+)/.exec(text) ?? []
      from = next === undefined ? undefined : Number(next)
    }
    expect(lines.filter((line) => !read.includes(line))).toEqual([])
  })

  it('keep everything that an edit does not name', async () => {
    const page = await newPage()
    await assistant.json('create_page', { title: 'Below', parent: page })
    await assistant.json('edit_page', { page, replace: [{ old: 'Two', new: 'Zwei' }] })
    await assistant.json('edit_page', { page, insert: 'Between', after: 'One' })
    const text = await textOf(page)
    expect(text).toMatch(/One\nBetween\nZwei\nThree\n<page [^>]*>Below<\/page>/)
  })

  it('refuse an edit that would lose a sub-page, and name the sub-page', async () => {
    const page = await newPage()
    await assistant.json('create_page', { title: 'Below', parent: page })
    const [tag = ''] = /<page [^>]*>Below<\/page>/.exec(await textOf(page)) ?? []
    const refusal = await assistant.refusal('edit_page', { page, replace: [{ old: tag, new: '' }] })
    expect(refusal).toContain('replace[0].new: it should contain <page ')
    expect(await textOf(page)).toContain('Below')
  })

  it('refuse an edit if one of its texts is not found, and name the argument', async () => {
    const page = await newPage()
    const replace = [
      { old: 'One', new: 'Eins' },
      { old: 'Four', new: 'Vier' },
    ]
    expect(await assistant.refusal('edit_page', { page, replace })).toBe(
      'validation_error: replace[1].old should occur in the Markdown of the page, but was not found.',
    )
    expect(await textOf(page)).toContain('One')
  })

  it('move a page, put a page into the trash, and restore a page', async () => {
    const [page, target] = [await newPage(), await newPage()]
    await assistant.json('move_page', { page, to_page: target })
    expect(await textOf(target)).toContain('>Log</page>')
    await assistant.json('trash_page', { page })
    expect(await textOf(page)).toContain('in the trash')
    await assistant.json('trash_page', { page, restore: true })
    expect(await textOf(page)).not.toContain('in the trash')
  })
})

describe('the MCP tools for rows', async () => {
  const database = await makeDatabase(server.owner, await makePage(server.owner, 'Harbour'), {
    Notes: { rich_text: {} },
    Depth: { number: {} },
    Kind: { select: { options: [{ name: 'Pilot' }, { name: 'Ferry' }] } },
    Tags: { multi_select: {} },
    Due: { date: {} },
    Done: { checkbox: {} },
    Who: { people: {} },
    Twice: { formula: { expression: 'prop("Depth") * 2' } },
  })
  const data_source = database.sourceId
  const values = {
    ...{ Notes: 'By night', Depth: 3.5, Kind: 'Pilot', Tags: 'slow, old', Due: '2026-05-16/2026-05-18', Done: 'yes' },
    Who: person.name,
  }

  it('create and read rows with plain values, by property names in upper or lower case', async () => {
    const lower = Object.fromEntries(Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]))
    await assistant.json('create_rows', { data_source, rows: [{ title: 'Tern', values: lower, markdown: 'Her log' }] })
    const { rows } = await assistant.json('query_rows', {
      data_source,
      where: [{ property: 'name', condition: 'equals', value: 'Tern' }],
    })
    expect(rows).toEqual([
      {
        ...{ id: expect.any(String), title: 'Tern', Notes: 'By night', Depth: 3.5, Kind: 'Pilot', Tags: ['slow', 'old'] },
        ...{ Due: '2026-05-16/2026-05-18', Done: true, Who: [person.name], Twice: 7 },
      },
    ])
  })

  it.each<[string, object[], string[]]>([
    ['a number', [{ property: 'Depth', condition: 'greater_than', value: '10' }], ['Deep']],
    ['an option', [{ property: 'kind', condition: 'equals', value: 'Ferry' }], ['Deep']],
    ['a date', [{ property: 'Due', condition: 'on_or_after', value: '2026-06-01' }], ['Deep']],
    ['a person by name', [{ property: 'Who', condition: 'contains', value: person.name }], ['Deep']],
    ['a formula', [{ property: 'Twice', condition: 'equals', value: 40 }], ['Deep']],
    ['emptiness', [{ property: 'Tags', condition: 'is_not_empty' }], ['Deep']],
    ['text', [{ property: 'Notes', condition: 'contains', value: 'chart' }], ['Deep']],
  ])('find rows by %s', async (_what, where, titles) => {
    const deep = { ...values, Depth: 20, Kind: 'Ferry', Due: '2026-06-02', Notes: 'See the chart' }
    const { undo } = await assistant.json('create_rows', {
      data_source,
      rows: [{ title: 'Deep', values: deep }, { title: 'Plain' }],
    })
    const all = [...where, { property: 'Name', condition: 'does_not_equal', value: 'Tern' }]
    const { rows } = await assistant.json('query_rows', { data_source, where: JSON.stringify(all), sort: [{ property: 'Name' }] })
    expect((rows as { title: string }[]).map(({ title }) => title)).toEqual(titles)
    await assistant.call('undo', { undo })
  })

  it('create no row if one value is invalid, and list the properties in the error', async () => {
    const rows = [{ title: 'First' }, { title: 'Second', values: { Dpth: 1 } }]
    expect(await assistant.refusal('create_rows', { data_source, rows })).toContain(
      'rows[1].values.Dpth: "Dpth" is not a property. The properties are: "Name" (title)',
    )
    expect(
      await assistant.json('query_rows', { data_source, where: [{ property: 'Name', condition: 'equals', value: 'First' }] }),
    ).toEqual({ rows: [] })
  })

  it('refuse a change that has neither a title nor an icon nor values', async () => {
    expect(await assistant.refusal('update_page', { page: await newPage() })).toBe('Give a title, an icon or values.')
  })

  it('change only the named values', async () => {
    const { ids } = await assistant.json('create_rows', { data_source, rows: [{ title: 'Gull', values }] })
    const [page] = ids as string[]
    const changed = await assistant.json('update_page', { page, values: { Depth: '4', Tags: null }, title: 'Grey gull' })
    expect(changed).toMatchObject({ title: 'Grey gull', values: { Depth: 4, Kind: 'Pilot', Done: true } })
    expect(changed['values']).not.toHaveProperty('Tags')
  })

  it.each<[string, object, string]>([
    [
      'a number that is text',
      { property: 'Depth', condition: 'equals', value: 'deep' },
      'where[0].value: expected a number, found "deep".',
    ],
    [
      'a checkbox that is neither true nor false',
      { property: 'Done', condition: 'equals', value: 'maybe' },
      'where[0].value: expected true or false',
    ],
    ['a missing value', { property: 'Depth', condition: 'equals' }, 'where[0].value: missing.'],
    ['an unknown person', { property: 'Who', condition: 'contains', value: 'Nobody' }, 'where[0].value: nobody has that name'],
    ['an unknown condition', { property: 'Depth', condition: 'is_like', value: 1 }, 'condition'],
    [
      'a condition of another type',
      { property: 'Depth', condition: 'starts_with', value: 1 },
      'where[0].number.starts_with should',
    ],
  ])('refuse a query by %s, and name the argument', async (_what, condition, message) => {
    expect(await assistant.refusal('query_rows', { data_source, where: [condition] })).toContain(message)
  })

  it.each<[string, unknown, string]>([
    ['Depth', 'deep', 'rows[0].values.Depth: expected a number, found "deep".'],
    ['Done', 'maybe', 'rows[0].values.Done: expected true or false, found "maybe".'],
    ['Who', 'Nobody', 'rows[0].values.Who: nobody has that name or email address: "Nobody".'],
    ['Twice', 1, 'rows[0].values.Twice: the property "Twice" has the type formula, which these tools cannot write.'],
  ])('refuse to create a row with an invalid value of %s', async (name, value, message) => {
    const rows = [{ title: 'Wrong', values: { [name]: value } }]
    expect(await assistant.refusal('create_rows', { data_source, rows })).toContain(message)
  })

  it('describe properties by name, type and options', async () => {
    expect(await assistant.json('describe_data_source', { data_source: database.id })).toMatchObject({
      id: data_source,
      properties: { Depth: 'number', Kind: { type: 'select', options: ['Pilot', 'Ferry'] } },
    })
  })
})

describe('the MCP tool undo', () => {
  it('restores the text of a page once', async () => {
    const page = await newPage()
    const before = await textOf(page)
    const { undo } = await assistant.json('edit_page', { page, replace: [{ old: 'Two', new: '' }] })
    expect((await assistant.call('undo', { undo })).text).toBe('Restored the text of the page.')
    const withoutTime = (text: string): string => text.replace(/edited: \S+/, '')
    expect(withoutTime(await textOf(page))).toBe(withoutTime(before))
    expect(await assistant.refusal('undo', { undo })).toContain('already undone')
  })

  it('does not change a page that was changed after the edit', async () => {
    const page = await newPage()
    const { undo } = await assistant.json('edit_page', { page, insert: 'Four' })
    await assistant.json('edit_page', { page, insert: 'Five' })
    expect(await assistant.refusal('undo', { undo })).toContain('has been changed since')
    expect(await textOf(page)).toContain('Four\nFive')
  })

  it('restores values and icon unless they were changed after the edit', async () => {
    const page = await newPage()
    const first = await assistant.json('update_page', { page, title: 'First', icon: '⛵' })
    const second = await assistant.json('update_page', { page, title: 'Second' })
    expect(await assistant.refusal('undo', { undo: first['undo'] })).toContain('have been changed since')
    await assistant.call('undo', { undo: second['undo'] })
    expect(await textOf(page)).toContain('# First')
    const third = await assistant.json('update_page', { page, icon: '⚓' })
    await assistant.call('undo', { undo: third['undo'] })
    const { body } = await server.owner.call('retrievePage', { path: { page_id: page } })
    expect(body['icon']).toEqual({ type: 'emoji', emoji: '⛵' })
  })

  it('keeps a file whose signed address differs from the one before the edit', async () => {
    const page = await newPage()
    await assistant.json('attach_file', { page, name: 'tides.csv', text: 'low,high' })
    const blocks = async (): Promise<unknown[]> => {
      const { body } = await server.owner.call('listBlockChildren', { path: { block_id: page } })
      return (body['results'] as { id: string; type: string }[]).map(({ id, type }) => (type === 'file' ? id : type))
    }
    const before = await blocks()
    const { undo } = await assistant.json('edit_page', { page, replace: [{ old: 'Two', new: 'Zwei' }] })
    server.clock.advance(2 * 3_600_000)
    expect((await assistant.call('undo', { undo })).text).toBe('Restored the text of the page.')
    expect(await blocks()).toEqual(before)
  })

  it('moves created pages to the trash, moves pages back, deletes comments and files, and restores values', async () => {
    const [page, target] = [await newPage(), await newPage()]
    const child = await assistant.json('create_page', { title: 'Child', parent: target })
    const steps = [
      await assistant.json('move_page', { page: child['id'], to_page: page }),
      await assistant.json('add_comment', { page, markdown: 'Seen' }),
      await assistant.json('attach_file', { page, name: 'tides.csv', text: 'low,high' }),
      await assistant.json('update_page', { page, title: 'Renamed' }),
      await assistant.json('trash_page', { page }),
    ]
    for (const { undo } of steps.toReversed()) expect((await assistant.call('undo', { undo })).isError).toBe(false)
    expect(await textOf(page)).toMatch(/^# Log\n[^]*One\nTwo\nThree$/)
    expect(await assistant.json('list_comments', { page })).toEqual({ comments: [] })
    expect(await textOf(target)).toContain('>Child</page>')
    await assistant.call('undo', { undo: child['undo'] })
    expect(await textOf(target)).not.toContain('Child')
  })

  it('refuses to undo a change made with another token', async () => {
    const reader = await assistantOf(server.url, `${TOKEN.slice(0, -1)}x`)
    const { undo } = await assistant.json('create_page', { title: 'Mine' })
    expect(await reader.refusal('undo', { undo })).toContain('unknown or already undone')
  })
})

describe('the MCP tools for comments, people and files', () => {
  it('list comments with their discussion, and reply to them', async () => {
    const page = await newPage()
    await assistant.json('add_comment', { page, markdown: 'First' })
    const { comments } = await assistant.json('list_comments', { page })
    const [{ discussion = '' } = {}] = comments as { discussion: string }[]
    await assistant.json('add_comment', { discussion, markdown: 'Second' })
    const { comments: both } = await assistant.json('list_comments', { page })
    const said = (both as { discussion: string; text: string }[]).map((comment) => `${comment.discussion} ${comment.text}`)
    expect(said.toSorted()).toEqual([`${discussion} First`, `${discussion} Second`])
  })

  it('list people with their email addresses', async () => {
    const { users } = await assistant.json('list_users')
    expect(users).toContainEqual({ id: person.id, name: person.name, type: 'person', email: person.email })
  })

  it.each<[string, object]>([
    ['with neither text nor base64', {}],
    ['with both text and base64', { text: 'a', base64: 'YQ==' }],
    ['with malformed base64', { base64: '%%%' }],
  ])('refuse a file %s', async (_what, content) => {
    const page = await newPage('')
    expect(await assistant.refusal('attach_file', { page, name: 'a.csv', ...content })).toContain('base64')
    expect(await textOf(page)).not.toContain('a.csv')
  })

  it('add a file as a block of the page', async () => {
    const page = await newPage('')
    await assistant.json('attach_file', { page, name: 'tides.csv', base64: Buffer.from('low,high').toString('base64') })
    expect(await textOf(page)).toContain('tides.csv')
  })
})
