import { generateNKeysBetween } from 'fractional-indexing'
import type { BlockRequest } from '../../../../generated/types.ts'
import { findBlock, listChildren, touch, updateContent, type Block } from '../../../store/blocks.ts'
import type { Database, Transaction } from '../../../store/database.ts'
import {
  editedIds,
  draftBlocks,
  insertDrafts,
  ReferenceList,
  splitText,
  noteContent,
  type Draft,
  type NoteContent,
} from '../../content/index.ts'
import { recordEvent, contentUpdate, type RecordScope } from '../../events/index.ts'
import type { Conversation, Summary } from './media.ts'
import { parseSegment, writeSegment } from './transcripts/write_segment.ts'
import type { SpokenSegment } from './transcripts/segment.ts'

/** Identifies a note that the service itself changes. */
export interface NoteKey {
  readonly workspaceId: string
  readonly id: string
}

/**
 * Changes the content of a note on behalf of its creator.
 * @param change adds the blocks to which the new content refers
 * @returns false if the note no longer exists
 */
export async function changeNote(
  db: Transaction,
  { workspaceId, id }: NoteKey,
  now: number,
  change: (block: Block, content: NoteContent, scope: RecordScope) => Promise<Partial<NoteContent>>,
): Promise<boolean> {
  const block = await findBlock(db, workspaceId, id)
  if (!block) return false
  const scope = { db, now, actor: { workspaceId, userId: block.createdBy } }
  const content = { ...block.content, ...(await change(block, noteContent(block.content), scope)) }
  await updateContent(db, workspaceId, id, content)
  await touch(db, workspaceId, editedIds(block), block.createdBy, now)
  await recordEvent(scope, contentUpdate(block))
  return true
}

const SECTIONS = ['Summary', 'Notes', 'Transcript'] as const
type Section = (typeof SECTIONS)[number]
const ranks = generateNKeysBetween(null, null, SECTIONS.length)
const NOTHING = { references: new ReferenceList(), baseUrl: '', files: { brand: 'Service' } }

/** Adds a section to a note. @param id the id of its block, if it is already known @returns the id of its block */
export async function addSection(
  scope: RecordScope,
  note: Block,
  section: Section,
  { id, children = [] }: { readonly id?: string; readonly children?: readonly Draft[] } = {},
): Promise<string> {
  const [draft] = drafts([{ toggle: { rich_text: [{ text: { content: section } }] } }])
  if (!draft) throw new Error('a section was not made')
  const place = SECTIONS.indexOf(section)
  const [toggle] = await insertDrafts(scope, [{ ...draft, children, ...(id === undefined ? {} : { id }) }], {
    parentType: 'block_id',
    parentId: note.id,
    pageId: note.pageId,
    after: ranks[place - 1] ?? null,
    before: ranks[place + 1] ?? null,
  })
  if (!toggle) throw new Error('a section was not stored')
  return toggle.id
}

/** Adds paragraphs to the end of a transcript. @returns the rank of the last one */
export async function addToTranscript(
  scope: RecordScope,
  note: Block,
  transcriptId: string,
  segments: readonly SpokenSegment[],
  after: string | null,
): Promise<string | null> {
  const paragraphs = drafts(segments.flatMap(writeSegment).map((rich_text) => ({ paragraph: { rich_text } })))
  const place = { parentType: 'block_id', parentId: transcriptId, pageId: note.pageId, after, before: null } as const
  return (await insertDrafts(scope, paragraphs, place)).at(-1)?.rank ?? after
}

export function summaryBlocks({ keyPoints, actionItems }: Pick<Summary, 'keyPoints' | 'actionItems'>): readonly Draft[] {
  if (keyPoints.length + actionItems.length === 0) return summaryNotice('The service could not summarize this transcript.')
  const blocks: BlockRequest[] = [
    { heading_3: { rich_text: textOf('Key points') } },
    ...keyPoints.map((point): BlockRequest => ({ bulleted_list_item: { rich_text: textOf(point) } })),
  ]
  if (actionItems.length > 0) blocks.push({ heading_3: { rich_text: textOf('Action items') } })
  blocks.push(...actionItems.map((item): BlockRequest => ({ to_do: { rich_text: textOf(item), checked: false } })))
  return drafts(blocks)
}

/** The content of the summary section if there is no summary. */
export function summaryNotice(text: string): readonly Draft[] {
  return drafts([{ paragraph: { rich_text: textOf(text) } }])
}

/** The maximum number of text runs in an entry of a summary. */
const RUNS_MAX = 10

function textOf(text: string): { text: { content: string } }[] {
  return splitText(text)
    .slice(0, RUNS_MAX)
    .map((content) => ({ text: { content } }))
}

function drafts(blocks: readonly BlockRequest[]): Draft[] {
  return draftBlocks(blocks, '', NOTHING)
}

/** Each paragraph may be as long as a request allows. */
const PARAGRAPHS_AT_ONCE = 100

/** The current content of a transcript, in portions. */
export async function* transcriptPortions(
  read: Database['read'],
  workspaceId: string,
  transcriptId: string,
): AsyncGenerator<Conversation['segments'], void, undefined> {
  for (let [lastRank, count] = ['', PARAGRAPHS_AT_ONCE]; count === PARAGRAPHS_AT_ONCE;) {
    const after = lastRank
    const blocks = await read((db) => listChildren(db, workspaceId, transcriptId, after, PARAGRAPHS_AT_ONCE))
    yield blocks.map(({ content }) => parseSegment(content)).filter(({ text }) => text !== '')
    ;[lastRank, count] = [blocks.at(-1)?.rank ?? lastRank, blocks.length]
  }
}
