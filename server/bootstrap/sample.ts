import { generateNKeysBetween } from 'fractional-indexing'
import { insertBlocks } from '../store/blocks.ts'
import { insertEmoji } from '../store/custom_emojis.ts'
import type { Transaction } from '../store/database.ts'
import { insertPage } from '../store/pages.ts'
import { PageRows } from './page_rows.ts'
import { insertSampleAgents } from './sample_agents.ts'
import { insertSampleDatabases } from './sample_databases.ts'
import { insertSampleComments } from './sample_comments.ts'
import { sampleContent } from './sample_content.ts'
import { insertSampleViews } from './sample_views.ts'
import { exampleWorkspace } from './example_workspace.ts'

/**
 * Fills the demo workspace with the pages of the example workspace.
 * @returns the page with a block of every type
 */
export async function insertSample(db: Transaction, workspaceId: string, now: number): Promise<string> {
  for (const emoji of exampleWorkspace.emojis) {
    await insertEmoji(db, workspaceId, { ...emoji, url: `https://workspace.example/emoji/${emoji.name}.png` }, now)
  }
  const sample = new PageRows(now, exampleWorkspace.people[0].id)
  const { handbook, checklist, launchPlan } = exampleWorkspace.pages
  const [top = '', first = '', second = '', third = '', fourth = ''] = generateNKeysBetween(null, null, 5)
  sample.addPage(handbook, 'Workshop handbook', { type: 'workspace', id: workspaceId, pageId: null, rank: top })
  const below = { type: 'page_id', id: handbook, pageId: handbook } as const
  sample.addPage(checklist, 'Safety checklist', { ...below, rank: first })
  sample.addPage(launchPlan, 'Launch day plan', { ...below, rank: second })
  sample.addDatabase(exampleWorkspace.boatRegister, 'Boat register', { ...below, rank: third })
  sample.addDatabase(exampleWorkspace.repairLog, 'Repair log', { ...below, rank: fourth })
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
