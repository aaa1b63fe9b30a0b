import type { BlockType } from '../../generated/types.ts'
import { story } from './story.ts'

/** A block of the sample: content as a caller would write it, or, for the types only the service makes, as it is stored. */
export interface SampleBlock {
  readonly id?: string
  readonly type: BlockType
  readonly content: object
  readonly children?: readonly SampleBlock[]
}

const text = (content: string, annotations: object = {}): object => ({ text: { content }, annotations })
const rich = (content: string): { rich_text: object[] } => ({ rich_text: [text(content)] })
const paragraph = (content: string): SampleBlock => ({ type: 'paragraph', content: rich(content) })
const row = (...cells: string[]): SampleBlock => ({ type: 'table_row', content: { cells: cells.map((cell) => [text(cell)]) } })

const ORIGINAL = '7ead13ff-d66b-4b4d-b47a-e101068189f4'
const SUMMARY = '14eb9e58-7f7d-4327-9c62-f04c92e3d3f0'
const NOTES = '2a5dd92e-af91-41be-8fbf-92247afa1571'
const TRANSCRIPT = '56e91ecc-75ce-403c-91c5-fb2ba5dab41e'

/** Launch day plan: every type of block but the sub-page, which stands on the handbook. The database is a linked one. */
export const launchPlanBlocks: readonly SampleBlock[] = [
  { id: 'f1977fd6-45dc-4232-ad30-cb0307ddd33d', type: 'table_of_contents', content: { color: 'gray' } },
  { id: '2e9e066d-abce-4acd-997f-957f985fa535', type: 'breadcrumb', content: {} },
  { id: 'a35ffc5b-8ba0-40f1-8dfe-d74b768c6714', type: 'heading_1', content: rich('Launch day') },
  {
    id: '479dd02e-5974-4f6b-8eeb-4467a5c46004',
    type: 'paragraph',
    content: {
      rich_text: [
        text('Heron goes back into the water on '),
        { mention: { date: { start: '2026-05-16' } } },
        text('. '),
        { mention: { user: { id: story.people[1].id } }, annotations: { bold: true } },
        text(' runs the slipway; read '),
        { mention: { page: { id: story.pages.checklist } } },
        text(' first '),
        { mention: { custom_emoji: { id: story.emojis[0].id } } },
        text('.'),
      ],
    },
  },
  {
    id: 'e3f6673c-bf50-49a6-a61b-850051799876',
    type: 'callout',
    content: {
      ...rich('High water at 11:40. Nobody stands between cradle and winch.'),
      color: 'yellow_background',
      icon: { emoji: '⚠️' },
    },
  },
  {
    id: 'cac858bb-4cca-438c-ae2d-3c616fb35c13',
    type: 'heading_2',
    content: { ...rich('Before the tide'), is_toggleable: true },
    children: [
      {
        id: '6c5421f1-8059-43ee-b2ec-b7d90a6fd693',
        type: 'to_do',
        content: { ...rich('Grease the cradle rollers'), checked: true },
      },
      { type: 'to_do', content: rich('Check the bilge pump') },
    ],
  },
  { id: 'e465b1f1-ac59-47b6-8861-f3a5f201da49', type: 'heading_3', content: rich('Order of work') },
  { id: 'a15f09c8-58b8-413f-8ef5-b163cef350e7', type: 'numbered_list_item', content: rich('Lift the shores, port side first') },
  { type: 'numbered_list_item', content: rich('Ease the winch until the keel floats') },
  { id: '2d9cf439-699f-462a-942a-4dafff35f810', type: 'heading_4', content: rich('What to bring') },
  {
    id: '08d01bfe-b36f-4c48-8fee-8d493ce468a1',
    type: 'bulleted_list_item',
    content: rich('Two warps of 20 m'),
    children: [
      { id: '1a61de45-2460-4075-b4bd-e85b42a67cd2', type: 'paragraph', content: rich('The blue ones; the white one is chafed.') },
    ],
  },
  {
    id: '45b58f3a-807d-4f89-bece-2523375277c6',
    type: 'toggle',
    content: rich('If the wind is above 5'),
    children: [paragraph('We launch at the evening tide instead.')],
  },
  { id: '04a0a7d3-d3f1-4773-a6e3-5f4b2b1522b8', type: 'quote', content: rich('A boat is never finished, only launched.') },
  { id: 'af3a233d-48ae-44eb-9f64-a68e7d57a798', type: 'divider', content: {} },
  {
    id: '10a13d91-2c28-4fbc-bc2d-8829f4b39363',
    type: 'table',
    content: { table_width: 2, has_column_header: true },
    children: [row('Hour', 'Depth at the sill'), row('10:40', '2.1 m'), row('11:40', '2.6 m')],
  },
  {
    id: 'a7753e56-a5c2-4302-9251-802d93842ea6',
    type: 'column_list',
    content: {},
    children: [
      {
        id: '47cad8c0-d6ca-439b-a8d4-3ad8611fd5b0',
        type: 'column',
        content: { width_ratio: 0.4 },
        children: [paragraph('Slipway crew: Tomas, Aiko')],
      },
      {
        id: 'f8784ccf-9dda-4466-87d8-b1eb8b7206da',
        type: 'column',
        content: { width_ratio: 0.6 },
        children: [paragraph('On board: Ines')],
      },
    ],
  },
  {
    id: '7e40434a-a184-4b17-8e0c-a487d9d23777',
    type: 'tab',
    content: {},
    children: [
      {
        id: '95b97bd7-3bc4-4b7d-a833-37d3217c384d',
        type: 'paragraph',
        content: { ...rich('Harbour'), icon: { icon: { name: 'anchor' } } },
        children: [paragraph('Ask for berth 14.')],
      },
      { type: 'paragraph', content: rich('Weather') },
    ],
  },
  {
    id: ORIGINAL,
    type: 'synced_block',
    content: { synced_from: null },
    children: [{ type: 'bulleted_list_item', content: rich('Channel 12 during the launch') }],
  },
  { id: 'cd64fb1e-a953-4ae2-afa8-a1efb8ea1882', type: 'synced_block', content: { synced_from: { block_id: ORIGINAL } } },
  { id: '655f32b3-afe1-4f01-a9a0-9cb03b63cd5f', type: 'equation', content: { expression: 'd = d_0 + A \\cos(\\omega t)' } },
  {
    id: 'c0edbe71-8c34-4fa1-9574-3f591f4ee209',
    type: 'code',
    content: { ...rich('tide = load("sill.csv")'), language: 'python' },
  },
  { id: '2585a1a5-82df-4d8f-a7f2-93f2a2e8f6e0', type: 'link_to_page', content: { page_id: story.pages.checklist } },
  { id: '6a84e8d5-9c52-409c-b051-06492ef18a65', type: 'template', content: rich('Add a launch') },
  { id: 'b788c2b1-f332-4cb4-b288-ad316e472364', type: 'embed', content: { url: 'https://example.org/tides/sill' } },
  {
    id: '56f36db8-990e-411e-bac7-96a51550ec46',
    type: 'bookmark',
    content: { url: 'https://example.org/slipway-rules', caption: [text('Harbour rules')] },
  },
  {
    id: '09518465-ea82-4d63-8c6c-e98710d18958',
    type: 'image',
    content: { external: { url: 'https://example.org/dock-plan.png' } },
  },
  {
    id: '0d0b7738-32da-4aeb-ba7f-2f8a832af3b7',
    type: 'video',
    content: { external: { url: 'https://example.org/launch-2025.mp4' } },
  },
  {
    id: '9f7499ea-9c89-46af-8f52-9c6965331798',
    type: 'pdf',
    content: { external: { url: 'https://example.org/engine-manual.pdf' } },
  },
  { id: '7d5ead2a-faeb-4e80-9bc8-4625b34f6f7b', type: 'file', content: { external: { url: 'https://example.org/tides.csv' } } },
  {
    id: 'e05309dc-8f42-4bea-9ee1-31a4509e257d',
    type: 'audio',
    content: { external: { url: 'https://example.org/launch-speech.mp3' } },
  },
  { id: '046f02a4-ad60-44cf-924b-3e7fa0002c4d', type: 'link_preview', content: { url: 'https://planner.example/boards/42' } },
  { id: '72143c59-e9b2-4c69-b392-d4186b300be7', type: 'unsupported', content: { block_type: 'form' } },
  {
    id: 'd79834c3-cd7e-40b2-866f-511b3784e1fa',
    type: 'meeting_notes',
    content: {
      title: [{ type: 'text', text: { content: 'Launch briefing' } }],
      status: 'notes_ready',
      children: { summary_block_id: SUMMARY, notes_block_id: NOTES, transcript_block_id: TRANSCRIPT },
    },
    children: [
      { id: SUMMARY, type: 'paragraph', content: rich('Summary'), children: [paragraph('Launch at 11:40, Ines on board.')] },
      { id: NOTES, type: 'paragraph', content: rich('Notes'), children: [paragraph('Bring the spare fenders.')] },
      { id: TRANSCRIPT, type: 'paragraph', content: rich('Transcript'), children: [paragraph('Ines: are the rollers greased?')] },
    ],
  },
  {
    id: story.boatsInTheYard,
    type: 'child_database',
    content: { title: [{ type: 'text', text: { content: 'Boats in the yard' } }] },
  },
]

export const checklistBlocks: readonly SampleBlock[] = [
  paragraph('Read this before you touch the winch.'),
  { type: 'to_do', content: rich('Life jackets on') },
  { type: 'to_do', content: rich('Radio on channel 12') },
]
