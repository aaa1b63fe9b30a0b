import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { append, appendOne, makePage, paragraph, row, snapshot, text } from '../../harness/content.ts'
import { expectInvalid } from '../../harness/expectations.ts'
import { idOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()
const page = await makePage(server.owner)

const update = (id: string, body: unknown, caller = server.owner): ReturnType<typeof caller.call> =>
  caller.call('updateBlock', { path: { block_id: id }, body })
const url = 'https://example.org/a.png'

describe('updateBlock', () => {
  describe('400 validation_error for', () => {
    const bad: [name: string, type: string, created: object, body: unknown, place: string][] = [
      ['another type', 'paragraph', { rich_text: [] }, { quote: { rich_text: [] } }, 'body.quote'],
      ['another type, named without content', 'paragraph', { rich_text: [] }, { type: 'quote' }, 'body.type'],
      ['a type that differs from the key', 'paragraph', { rich_text: [] }, { type: 'quote', paragraph: {} }, 'body.type'],
      ['an unknown type', 'paragraph', { rich_text: [] }, { type: 'poster' }, 'body.type'],
      ['two type keys', 'paragraph', { rich_text: [] }, { paragraph: {}, quote: {} }, 'body.quote'],
      ['an unknown key', 'paragraph', { rich_text: [] }, { color: 'red' }, 'body.color'],
      ['the key archived', 'paragraph', { rich_text: [] }, { archived: true }, 'body.archived'],
      ['a null in_trash', 'paragraph', { rich_text: [] }, { in_trash: null }, 'body.in_trash'],
      ['in_trash as a text', 'paragraph', { rich_text: [] }, { in_trash: 'true' }, 'body.in_trash'],
      ['the key object', 'paragraph', { rich_text: [] }, { object: 'page' }, 'body.object'],
      ['the key id', 'paragraph', { rich_text: [] }, { id: randomUUID() }, 'body.id'],
      [
        'the key parent',
        'paragraph',
        { rich_text: [] },
        { parent: { type: 'workspace', workspace: true } },
        'body.parent.workspace',
      ],
      [
        'the start of a list, which is read-only',
        'numbered_list_item',
        { rich_text: [] },
        { numbered_list_item: { list_start_index: 4 } },
        'body.numbered_list_item.list_start_index',
      ],
      ['checked as a text', 'to_do', { rich_text: [] }, { to_do: { checked: 'yes' } }, 'body.to_do.checked'],
      ['a null rich_text', 'quote', { rich_text: [] }, { quote: { rich_text: null } }, 'body.quote.rich_text'],
      [
        '101 items of rich_text',
        'quote',
        { rich_text: [] },
        { quote: { rich_text: Array.from({ length: 101 }, () => text('x')) } },
        'body.quote.rich_text.length',
      ],
      ['the key children', 'toggle', { rich_text: [] }, { toggle: { children: [paragraph('x')] } }, 'body.toggle.children'],
      [
        'the key table_width',
        'table',
        { table_width: 1, children: [row('a')] },
        { table: { table_width: 2 } },
        'body.table.table_width',
      ],
      [
        'rows of a table',
        'table',
        { table_width: 1, children: [row('a')] },
        { table: { children: [row('b')] } },
        'body.table.children',
      ],
      ['an icon outside a tab', 'paragraph', { rich_text: [] }, { paragraph: { icon: { emoji: '⚓' } } }, 'body.paragraph.icon'],
      [
        'is_toggleable false with children',
        'heading_1',
        { rich_text: [], children: [paragraph('x')] },
        { heading_1: { is_toggleable: false } },
        'body.heading_1.is_toggleable',
      ],
      [
        'media with both sources',
        'image',
        { external: { url } },
        { image: { external: { url }, file_upload: { id: randomUUID() } } },
        'body.image.file_upload',
      ],
      [
        'a media type without its payload',
        'image',
        { external: { url } },
        { image: { type: 'external' } },
        'body.image.external',
      ],
      [
        'a hosted file',
        'pdf',
        { external: { url } },
        { pdf: { file: { url, expiry_time: '2026-05-16T04:30:00.000Z' } } },
        'body.pdf.file',
      ],
      [
        'an empty expression',
        'equation',
        { expression: 'x' },
        { equation: { expression: '' } },
        'body.equation.expression.length',
      ],
      ['an empty url', 'embed', { url }, { embed: { url: '' } }, 'body.embed.url'],
      ['content in a divider', 'divider', {}, { divider: { x: 1 } }, 'body.divider.x'],
      [
        'two link targets',
        'link_to_page',
        { page_id: exampleWorkspace.pages.checklist },
        { link_to_page: { page_id: exampleWorkspace.pages.checklist, database_id: exampleWorkspace.repairLog } },
        'body.link_to_page.database_id',
      ],
      [
        'another synced original',
        'synced_block',
        { synced_from: null },
        { synced_block: { synced_from: { block_id: exampleWorkspace.pages.checklist } } },
        'body.synced_block.synced_from',
      ],
      ['a list as body', 'paragraph', { rich_text: [] }, [], 'body'],
    ]

    it.each(bad)('%s', async (_name, type, created, body, location) => {
      const id = await appendOne(server.owner, page, { [type]: created })
      const before = await snapshot(server.owner, id)
      server.clock.advance(1000)
      expectInvalid(await update(id, body), location)
      expect(await snapshot(server.owner, id), 'nothing is written').toBe(before)
    })

    it.each([
      ['child_page', exampleWorkspace.pages.checklist, { child_page: { title: 'x' } }],
      ['child_database', exampleWorkspace.repairLog, { child_database: { title: 'x' } }],
      ['column_list', 'a7753e56-a5c2-4302-9251-802d93842ea6', { column_list: { width: 1 } }],
      ['link_preview', '046f02a4-ad60-44cf-924b-3e7fa0002c4d', { link_preview: { url } }],
      ['meeting_notes', 'd79834c3-cd7e-40b2-866f-511b3784e1fa', { meeting_notes: {} }],
      ['unsupported', '72143c59-e9b2-4c69-b392-d4186b300be7', { unsupported: {} }],
    ])('the content of a block of type %s', async (type, id, body) => {
      expectInvalid(await update(id, body), `body.${type}`)
    })

    it('a synced block that refers to another original, while the same original is accepted', async () => {
      const [original, other] = await append(server.owner, page, [
        { synced_block: { synced_from: null } },
        { synced_block: { synced_from: null } },
      ])
      const mirror = await appendOne(server.owner, page, { synced_block: { synced_from: { block_id: idOf(original) } } })
      expect(
        (await update(mirror, { synced_block: { synced_from: { block_id: idOf(original).replaceAll('-', '') } } })).status,
      ).toBe(200)
      expectInvalid(
        await update(mirror, { synced_block: { synced_from: { block_id: idOf(other) } } }),
        'body.synced_block.synced_from',
      )
      expectInvalid(await update(mirror, { synced_block: { synced_from: null } }), 'body.synced_block.synced_from')
    })

    it('a malformed id', async () => {
      expectInvalid(await update('x', {}), 'path.block_id')
    })
  })
})
