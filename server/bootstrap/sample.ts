import { generateNKeysBetween } from 'fractional-indexing'
import { ReferenceList } from '../domain/references.ts'
import { storeRichText } from '../domain/rich_text/write.ts'
import { blockTypes } from '../domain/block_types/index.ts'
import { newId } from '../kernel/ids.ts'
import { insertBlocks, type NewBlock, type ParentType } from '../store/blocks.ts'
import { insertEmoji } from '../store/custom_emojis.ts'
import type { Transaction } from '../store/database.ts'
import { insertPage } from '../store/pages.ts'
import { insertSampleAgents } from './sample_agents.ts'
import { insertSampleDatabases } from './sample_databases.ts'
import { insertSampleComments } from './sample_comments.ts'
import { sampleContent, type SampleBlock } from './sample_content.ts'
import { insertSampleViews } from './sample_views.ts'
import { story } from './story.ts'

const MADE_BY_SERVICE: ReadonlySet<string> = new Set(['link_preview', 'unsupported', 'meeting_notes', 'child_database'])

/** Fills the demo workspace with the pages of the story. @returns the page with a block of every type */
export async function insertSample(db: Transaction, workspaceId: string, now: number): Promise<string> {
  for (const emoji of story.emojis) {
    await insertEmoji(db, workspaceId, { ...emoji, url: `https://workspace.example/emoji/${emoji.name}.png` }, now)
  }
  const sample = new Sample(now)
  const { handbook, checklist, launchPlan } = story.pages
  const [top = '', first = '', second = '', third = '', fourth = ''] = generateNKeysBetween(null, null, 5)
  sample.addPage(handbook, 'Workshop handbook', { type: 'workspace', id: workspaceId, pageId: null, rank: top })
  const below = { type: 'page_id', id: handbook, pageId: handbook } as const
  sample.addPage(checklist, 'Safety checklist', { ...below, rank: first })
  sample.addPage(launchPlan, 'Launch day plan', { ...below, rank: second })
  sample.addDatabase(story.boatRegister, 'Boat register', { ...below, rank: third })
  sample.addDatabase(story.repairLog, 'Repair log', { ...below, rank: fourth })
  const blocks = sampleContent('blocks')
  sample.addBlocks(blocks.checklist, { type: 'page_id', id: checklist, pageId: checklist })
  sample.addBlocks(blocks.launchPlan, { type: 'page_id', id: launchPlan, pageId: launchPlan })
  await insertBlocks(db, workspaceId, sample.rows)
  await insertSampleDatabases(db, workspaceId, now)
  await insertSampleViews(db, workspaceId, now)
  const icons = new Map<string, object>([
    [handbook, { type: 'icon', icon: { name: 'anchor', color: 'blue' } }],
    [launchPlan, { type: 'emoji', emoji: '⛵' }],
  ])
  for (const id of [handbook, checklist, launchPlan]) {
    await insertPage(db, workspaceId, id, { icon: icons.get(id) ?? null, cover: null, isLocked: false, isArchived: false })
  }
  await insertSampleComments(db, workspaceId, now)
  await insertSampleAgents(db, workspaceId, now)
  return launchPlan
}

interface Parent {
  readonly type: ParentType
  readonly id: string
  readonly pageId: string | null
}

/** Gathers rows as a caller's requests would have made them. */
class Sample {
  readonly rows: NewBlock[] = []
  readonly #references = new ReferenceList()
  readonly #now: number

  constructor(now: number) {
    this.#now = now
  }

  addPage(id: string, title: string, place: Parent & { rank: string }): void {
    this.#add(id, 'child_page', { title: storeRichText([{ text: { content: title } }], '', this.#references) }, place)
  }

  addDatabase(id: string, title: string, place: Parent & { rank: string }): void {
    this.#add(id, 'child_database', { title: storeRichText([{ text: { content: title } }], '', this.#references) }, place)
  }

  addBlocks(blocks: readonly SampleBlock[], parent: Parent): void {
    const ranks = generateNKeysBetween(null, null, blocks.length)
    for (const [index, block] of blocks.entries()) {
      const id = block.id ?? newId()
      const content = MADE_BY_SERVICE.has(block.type)
        ? { ...block.content }
        : blockTypes[block.type].content.create(block.content, '', { references: this.#references, baseUrl: '' })
      this.#add(id, block.type, content, { ...parent, rank: ranks[index] ?? '' })
      this.addBlocks(block.children ?? [], { type: 'block_id', id, pageId: parent.pageId })
    }
  }

  #add(id: string, type: string, content: NewBlock['content'], place: Parent & { rank: string }): void {
    this.rows.push({
      id,
      type,
      content,
      parentType: place.type,
      parentId: place.id,
      pageId: place.pageId,
      rank: place.rank,
      createdTime: this.#now,
      createdBy: story.people[0].id,
    })
  }
}
