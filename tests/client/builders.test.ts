import { describe, expect, it } from 'vitest'
import { blocks, createWorkspaceClient, isBlock, plainText, text, values } from '../../client/src/index.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { serverOfFile, TOKEN } from '../harness/server.ts'

const server = await serverOfFile()
const service = createWorkspaceClient({ baseUrl: server.url, token: TOKEN })

describe('builders', () => {
  it('of blocks make blocks with children', async () => {
    const children = [
      blocks.heading1('Tides'),
      blocks.heading2(['Low ', text('water').bold()], { color: 'blue' }),
      blocks.heading3('Sill', { is_toggleable: true, children: [blocks.paragraph('Depth')] }),
      blocks.paragraph(text('Chart').link('https://example.org/chart')),
      blocks.bulleted('Rope', { children: [blocks.numbered('Coil', { children: [blocks.todo('Whip', { checked: true })] })] }),
      blocks.toggle('Costs', { children: [blocks.quote('Dear')] }),
      blocks.callout('Mind the sill', { icon: { emoji: '⚓' } }),
      blocks.code('sill = 2.4', 'python'),
      blocks.equation('h = h_0'),
      blocks.divider(),
      blocks.table([['Boat', 'Berth'], ['Heron', text('14').bold()]], { has_column_header: true }), // prettier-ignore
      blocks.columns([blocks.paragraph('Port')], [blocks.paragraph('Starboard')]),
    ]
    const page = await service.pages.create({ properties: { title: values.title('Builders') }, children })
    const { markdown } = await service.pages.markdown.retrieve({ page_id: page.id })
    expect(markdown.split('\n')).toEqual(
      expect.arrayContaining([
        '## Low **water** {color="blue"}',
        '[Chart](https://example.org/chart)',
        '\t\t- [x] Whip',
        '```python',
        '\t\t<td>**14**</td>',
        '\t\tStarboard',
      ]),
    )
    const read = await service.blocks.children.list({ block_id: page.id }).all()
    expect(read.map((block) => 'type' in block && block.type)).toEqual(children.map((block) => Object.keys(block)[0]))
    expect(read.flatMap((block) => (isBlock('heading_2', block) ? plainText(block.heading_2.rich_text) : []))).toEqual([
      'Low water',
    ])
  })

  it('of values set the properties of a row', async () => {
    const person = exampleWorkspace.people[0].id
    const source = await service.databases.create({
      parent: { page_id: '5df6f817-b099-4bcf-a0ec-6db25097c040' },
      initial_data_source: {
        properties: {
          Name: { title: {} },
          Note: { rich_text: {} },
          Kind: { select: {} },
          Tags: { multi_select: {} },
          State: { status: {} },
          When: { date: {} },
          Who: { people: {} },
        },
      },
    })
    const id = 'data_sources' in source ? (source.data_sources[0]?.id ?? '') : ''
    await service.dataSources.update({
      data_source_id: id,
      properties: { Next: { relation: { data_source_id: id, type: 'single_property', single_property: {} } } },
    })
    const first = await service.pages.create({ parent: { data_source_id: id }, properties: { Name: values.title('First') } })
    const row = await service.pages.create({
      parent: { data_source_id: id },
      properties: {
        Name: values.title(['Low ', text('water').italic()]),
        Note: values.richText('at nine'),
        Kind: values.select('Tide'),
        Tags: values.multiSelect('Sea', 'Sill'),
        State: values.status(null),
        When: values.date(new Date('2026-03-11T09:00:00Z'), '2026-03-12T09:00:00Z'),
        Who: values.people(person),
        Next: values.relation(first.id),
      },
    })
    expect(row).toMatchObject({
      properties: {
        Name: { title: [{ plain_text: 'Low ' }, { plain_text: 'water', annotations: { italic: true } }] },
        Note: { rich_text: [{ plain_text: 'at nine' }] },
        Kind: { select: { name: 'Tide' } },
        Tags: { multi_select: [{ name: 'Sea' }, { name: 'Sill' }] },
        When: {
          date: { start: expect.stringContaining('2026-03-11') as string, end: expect.stringContaining('2026-03-12') as string },
        },
        Who: { people: [{ id: person }] },
        Next: { relation: [{ id: first.id }] },
      },
    })
  })
})
