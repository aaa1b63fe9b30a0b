import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { append, appendOne, block, children, makePage, paragraph, text } from '../harness/content.ts'
import { columnsOf, makeDatabase, makeRow } from '../harness/databases_content.ts'
import { everyType, Listening, settle, wakeRunner } from '../harness/events.ts'
import { at, idOf, textAt, type JsonObject } from '../harness/json.ts'
import { makeSettledNote, plain, sectionId } from '../harness/meeting_notes.ts'
import { authorize, makeClient } from '../harness/oauth.ts'
import { until } from '../harness/process.ts'
import { serverOfFile } from '../harness/server.ts'

const SPACE = { id: exampleWorkspace.workspace.id, type: 'space' }

const server = await serverOfFile()
const listening = await Listening.start(server, { connectionId: exampleWorkspace.connection.id, types: everyType() })
const parent = await makePage(server.owner, 'Parent')

const titled = (title: string): object => ({ title: { title: [text(title)] } })
const update = (id: string, body: object): Promise<unknown> => server.owner.call('updatePage', { path: { page_id: id }, body })
const page = (id: string): object => ({ id, type: 'page' })

/** Waits for an event without advancing the service's clock. */
async function reported(type: string, id: string, count = 1): Promise<void> {
  await wakeRunner(server)
  await until(async () => {
    const found = (await listening.events()).filter((event) => event.type === type && event.entity.id === id)
    return found.length >= count ? true : undefined
  })
}

describe('createPage', () => {
  it('causes page.created at once, a separate event for each later change, and page.content_updated for the parent', async () => {
    let id = ''
    let block: JsonObject | undefined
    const events = await listening.eventsBy(async () => {
      id = await makePage(server.owner, 'New', parent, [paragraph('content')])
      await reported('page.created', id)
      block = (await append(server.owner, id, [paragraph('more')]))[0]
      await update(id, { properties: titled('Newer') })
    })
    const inParent = { parent: page(parent) }
    expect(events).toHaveLength(4)
    expect(events).toEqual(
      expect.arrayContaining([
        ['page.content_updated', parent, { parent: SPACE, updated_blocks: [page(id)] }],
        ['page.content_updated', id, { ...inParent, updated_blocks: [{ id: block?.['id'], type: 'block' }] }],
        ['page.created', id, inParent],
        ['page.properties_updated', id, { ...inParent, updated_properties: ['title'] }],
      ]),
    )
  })

  it('causes page.created with the first parent, even if the page is moved soon afterwards', async () => {
    const to = await makePage(server.owner, 'To')
    let id = ''
    const events = await listening.eventsBy(async () => {
      id = await makePage(server.owner, 'New', parent)
      await reported('page.created', id)
      await server.owner.call('movePage', { path: { page_id: id }, body: { parent: { page_id: to } } })
    })
    expect(events.filter(([, entity]) => entity === id)).toEqual([
      ['page.created', id, { parent: page(parent) }],
      ['page.moved', id, { parent: page(to) }],
    ])
  })

  it('causes page.created and page.deleted if the page is deleted in the same window; a moved page that is deleted causes only page.deleted, with its new parent', async () => {
    const [moved, to] = [await makePage(server.owner, 'Moved', parent), await makePage(server.owner, 'To')]
    let passing = ''
    const events = await listening.eventsBy(async () => {
      await server.owner.call('movePage', { path: { page_id: moved }, body: { parent: { page_id: to } } })
      passing = await makePage(server.owner, 'Passing', parent)
      for (const id of [moved, passing]) await server.owner.call('deleteBlock', { path: { block_id: id } })
    })
    expect(events.filter(([, id]) => id === moved)).toEqual([['page.deleted', moved, { parent: page(to) }]])
    expect(events.filter(([, id]) => id === passing).map(([type]) => type)).toEqual(['page.created', 'page.deleted'])
  })

  it('causes data_source.content_updated and, for new options, data_source.schema_updated', async () => {
    const { id: databaseId, sourceId } = await makeDatabase(server.owner, parent, { Kind: { select: {} } })
    let id = ''
    const events = await listening.eventsBy(async () => {
      id = idOf(await makeRow(server.owner, sourceId, { Kind: { select: { name: 'Rope' } } }))
    })
    const kind = (await columnsOf(server.owner, sourceId))['Kind']
    expect(events).toEqual([
      ['data_source.content_updated', sourceId, { parent: { id: databaseId, type: 'database' }, updated_blocks: [page(id)] }],
      [
        'data_source.schema_updated',
        sourceId,
        {
          parent: { id: databaseId, type: 'database' },
          updated_properties: [{ id: textAt(kind, 'id'), name: 'Kind', action: 'updated' }],
        },
      ],
      ['page.created', id, { parent: { id: databaseId, type: 'database', data_source_id: sourceId } }],
    ])
  })

  it('causes events for the page, its content and each page below it when it copies a template', async () => {
    const template = await makePage(server.owner, 'Template', undefined, [paragraph('a')])
    await makePage(server.owner, 'Below', template)
    const events = await listening.eventsBy(async () => {
      const { body } = await server.owner.call('createPage', {
        body: { parent: { page_id: parent }, template: { type: 'template_id', template_id: template } },
      })
      await until(async () => {
        const { body: list } = await server.owner.call('listBlockChildren', { path: { block_id: idOf(body) } })
        return at(list, 'results', 1, 'id')
      })
    })
    expect(events.map(([type]) => type)).toEqual([
      ...['page.content_updated', 'page.content_updated'],
      ...['page.created', 'page.created', 'page.properties_updated'],
    ])
  })

  it("names the member as author when a member copies a connection's template", async () => {
    const template = await makePage(server.owner, 'Welcome')
    const client = await makeClient(server, { templatePageId: template })
    let copy = ''
    const events = await listening.eventsBy(async () => {
      const { body } = await authorize(server, client, { takesTemplate: true })
      copy = textAt(body, 'duplicated_template_id')
    })
    expect(events).toEqual([['page.created', copy, { parent: SPACE }]])
    const [event] = (await listening.events()).filter(({ entity }) => entity.id === copy)
    expect(event?.authors).toEqual([{ id: exampleWorkspace.people[0].id, type: 'person' }])
  })
})

describe('updatePage', () => {
  it('causes page.properties_updated with the ids of changed values, or without ids for icon and cover', async () => {
    const [named, looked, same] = [
      await makePage(server.owner),
      await makePage(server.owner),
      await makePage(server.owner, 'Same'),
    ]
    const events = await listening.eventsBy(async () => {
      await update(named, { properties: titled('Other') })
      await update(looked, { icon: { emoji: '⛵' } })
      await update(same, { properties: titled('Same') })
    })
    expect(Object.fromEntries(events.map(([, id, data]) => [id, data]))).toEqual({
      [named]: { parent: SPACE, updated_properties: ['title'] },
      [looked]: { parent: SPACE, updated_properties: [] },
    })
  })

  it('causes page.properties_updated at once for the first edit, and one for later edits 5 seconds after the last', async () => {
    const id = await makePage(server.owner)
    await settle(server)
    const events = async (): Promise<string[]> =>
      (await listening.events()).filter(({ entity }) => entity.id === id).map(({ type, timestamp }) => `${type} ${timestamp}`)
    const known = (await events()).length
    const edits: string[] = []
    for (const title of ['One', 'Two', 'Three']) {
      edits.push(new Date(server.clock.now()).toISOString())
      await update(id, { properties: titled(title) })
      if (title === 'One') await reported('page.properties_updated', id)
      else await wakeRunner(server)
      expect((await events()).length).toBe(known + 1)
      server.clock.advance(2_000)
    }
    await settle(server)
    expect((await events()).slice(known)).toEqual([edits[0], edits[2]].map((time) => `page.properties_updated ${time}`))
    await update(id, { properties: titled('Four') })
    await reported('page.properties_updated', id, 3)
    await settle(server)
    expect((await events()).length).toBe(known + 3)
  })

  it('causes one page.properties_updated for values and icon in one request', async () => {
    const { sourceId } = await makeDatabase(server.owner, parent, { Cost: { number: {} } })
    const row = idOf(await makeRow(server.owner, sourceId))
    const cost = textAt((await columnsOf(server.owner, sourceId))['Cost'], 'id')
    const events = await listening.eventsBy(() => update(row, { properties: { Cost: { number: 3 } }, icon: { emoji: '⛵' } }))
    expect(events).toMatchObject([['page.properties_updated', row, { updated_properties: [cost] }]])
  })

  it('causes page.deleted in place of waiting edits, which are reported instead if the deletion is undone', async () => {
    const [gone, back] = [await makePage(server.owner), await makePage(server.owner)]
    const events = await listening.eventsBy(async () => {
      for (const id of [gone, back]) await update(id, { properties: titled('Other') })
      for (const id of [gone, back]) await reported('page.properties_updated', id)
      for (const id of [gone, back]) await update(id, { properties: titled('Last') })
      for (const id of [gone, back]) await update(id, { in_trash: true })
      await update(back, { in_trash: false })
    })
    const typesOf = (id: string): string[] => events.filter(([, entity]) => entity === id).map(([type]) => type)
    expect(typesOf(gone)).toEqual(['page.deleted', 'page.properties_updated'])
    expect(typesOf(back)).toEqual(['page.properties_updated', 'page.properties_updated'])
  })

  it('causes events for a row and for the rows on the other side of a two-way relation', async () => {
    const boats = await makeDatabase(server.owner, parent)
    const jobs = await makeDatabase(server.owner, parent, {
      Boat: { relation: { data_source_id: boats.sourceId, dual_property: { synced_property_name: 'Jobs' } } },
      Cost: { number: {} },
    })
    const [boat, job] = [idOf(await makeRow(server.owner, boats.sourceId)), idOf(await makeRow(server.owner, jobs.sourceId))]
    const columns = await columnsOf(server.owner, jobs.sourceId)
    const opposite = (await columnsOf(server.owner, boats.sourceId))['Jobs']
    const events = await listening.eventsBy(() =>
      update(job, { properties: { Boat: { relation: [{ id: boat }] }, Cost: { number: 2 } } }),
    )
    expect(events.map(([type]) => type)).toEqual(['page.properties_updated', 'page.properties_updated'])
    expect(Object.fromEntries(events.map(([, id, data]) => [id, at(data, 'updated_properties')]))).toEqual({
      [job]: [textAt(columns['Boat'], 'id'), textAt(columns['Cost'], 'id')],
      [boat]: [textAt(opposite, 'id')],
    })
  })

  it('causes page.locked and page.unlocked separately and immediately', async () => {
    const id = await makePage(server.owner)
    const events = await listening.eventsBy(async () => {
      for (const is_locked of [true, false, true, true]) await update(id, { is_locked })
    })
    expect(events).toEqual([
      ['page.locked', id, { parent: SPACE }],
      ['page.locked', id, { parent: SPACE }],
      ['page.unlocked', id, { parent: SPACE }],
    ])
  })

  it('causes page.deleted with the former parent, and page.undeleted, without events for pages below', async () => {
    const id = await makePage(server.owner, 'Gone', parent)
    await makePage(server.owner, 'Below', id)
    const around = { parent: SPACE, updated_blocks: [page(id)] }
    for (const [in_trash, type] of [
      [true, 'page.deleted'],
      [false, 'page.undeleted'],
    ] as const) {
      expect(await listening.eventsBy(() => update(id, { in_trash }))).toEqual([
        ['page.content_updated', parent, around],
        [type, id, { parent: page(parent) }],
      ])
    }
  })

  it('causes events for the erased blocks and the pages moved to the trash when it erases content', async () => {
    const id = await makePage(server.owner, 'Erased')
    const block = await appendOne(server.owner, id, paragraph('gone'))
    const toggle = await appendOne(server.owner, id, { toggle: { rich_text: [text('open')] } })
    const below = await makePage(server.owner, 'Below', id)
    const events = await listening.eventsBy(() => update(id, { erase_content: true }))
    expect(events).toMatchObject([
      ['page.content_updated', id, {}],
      ['page.deleted', below, { parent: page(id) }],
    ])
    const blocks = at(events[0]?.[2], 'updated_blocks')
    expect(new Set(Array.isArray(blocks) ? blocks.map((one) => JSON.stringify(one)) : [])).toEqual(
      new Set([page(below), { id: block, type: 'block' }, { id: toggle, type: 'block' }].map((one) => JSON.stringify(one))),
    )
  })
})

it('movePage causes page.moved and updates of both parents, but no page.moved for a page moved back in the same window', async () => {
  const [from, to] = [await makePage(server.owner, 'From'), await makePage(server.owner, 'To')]
  const [moved, back] = [await makePage(server.owner, 'Moved', from), await makePage(server.owner, 'Back', from)]
  const move = (id: string, page_id: string): Promise<unknown> =>
    server.owner.call('movePage', { path: { page_id: id }, body: { parent: { page_id } } })
  const events = await listening.eventsBy(async () => {
    await move(moved, to)
    await move(back, to)
    await move(back, from)
  })
  expect(events.filter(([type]) => type === 'page.moved')).toEqual([['page.moved', moved, { parent: page(to) }]])
  expect(
    Object.fromEntries(events.filter(([type]) => type !== 'page.moved').map(([, id, data]) => [id, at(data, 'updated_blocks')])),
  ).toEqual({
    [from]: [page(moved), page(back)],
    [to]: [page(moved), page(back)],
  })
})

describe('changes of blocks', () => {
  it('cause page.content_updated of their page, which names each block once, in the order of the changes', async () => {
    const id = await makePage(server.owner, 'Blocks')
    const [one, toggle] = [
      await appendOne(server.owner, id, paragraph('1')),
      await appendOne(server.owner, id, { toggle: { rich_text: [] } }),
    ]
    let inside = ''
    const events = await listening.eventsBy(async () => {
      inside = await appendOne(server.owner, toggle, paragraph('inside', { children: [paragraph('deeper')] }))
      await server.owner.call('updateBlock', { path: { block_id: one }, body: paragraph('one') })
      await server.owner.call('deleteBlock', { path: { block_id: inside } })
      await server.owner.call('updateBlock', { path: { block_id: one }, body: paragraph('one') })
    })
    const blocks = [inside, one].map((block) => ({ id: block, type: 'block' }))
    expect(events).toEqual([['page.content_updated', id, { parent: SPACE, updated_blocks: blocks }]])
  })

  it('cause, by updatePageMarkdown, events for blocks added, removed or moved, and for pages moved to the trash', async () => {
    const id = await makePage(server.owner, 'Markdown', undefined, [paragraph('stays'), paragraph('goes')])
    const below = await makePage(server.owner, 'Below', id)
    const events = await listening.eventsBy(() =>
      server.owner.call('updatePageMarkdown', {
        path: { page_id: id },
        body: {
          type: 'replace_content',
          replace_content: { new_str: 'stays\n\ncomes\n\ncomes too', allow_deleting_content: true },
        },
      }),
    )
    expect(events.map(([type, entity]) => [type, entity])).toEqual([
      ['page.content_updated', id],
      ['page.deleted', below],
    ])
    const types = at(events[0]?.[2], 'updated_blocks')
    expect((Array.isArray(types) ? types : []).map((one) => at(one, 'type')).toSorted()).toEqual([
      'block',
      'block',
      'block',
      'page',
    ])
  })
})

it('deleting the transcript of a note causes page.transcription_block.transcript_deleted', async () => {
  const id = await makePage(server.owner, 'Meeting')
  const note = await makeSettledNote(server.owner, id, plain('Ines: low water at noon'))
  const transcript = sectionId(note, 'transcript')
  const events = await listening.eventsBy(() => server.owner.call('deleteBlock', { path: { block_id: transcript } }))
  expect(events).toContainEqual([
    'page.transcription_block.transcript_deleted',
    id,
    { target: { id: idOf(note), type: 'block' }, transcript_id: transcript },
  ])
})

it('erasing the content of a page causes page.transcription_block.transcript_deleted for each transcript', async () => {
  const id = await makePage(server.owner, 'Meetings', undefined, [block('toggle', 'Spring')])
  const [toggle] = await children(server.owner, id)
  const make = (): Promise<JsonObject> => makeSettledNote(server.owner, id, plain('Ines: low water at noon'))
  const [direct, nested, trashed, cleared] = [await make(), await make(), await make(), await make()]
  const nesting = `update blocks set parent_type = 'block_id', parent_id = ? where id = ?`
  await server.service.database.write((db) => db.run(nesting, idOf(toggle), idOf(nested)))
  for (const gone of [idOf(trashed), sectionId(cleared, 'transcript')])
    await server.owner.call('deleteBlock', { path: { block_id: gone } })
  const erase = (): ReturnType<typeof server.owner.call> =>
    server.owner.call('updatePage', { path: { page_id: id }, body: { erase_content: true } })
  const events = await listening.eventsBy(erase)
  const type = 'page.transcription_block.transcript_deleted'
  const losses = [direct, nested].map((note) => ({
    target: { id: idOf(note), type: 'block' },
    transcript_id: sectionId(note, 'transcript'),
  }))
  const ofTranscripts = events.filter((event) => event[0] === type)
  expect(ofTranscripts).toHaveLength(2)
  for (const loss of losses) expect(ofTranscripts).toContainEqual([type, id, loss])
  expect((await listening.eventsBy(erase)).filter((event) => event[0] === type)).toStrictEqual([])
})
