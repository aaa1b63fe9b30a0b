import { operations } from '../../../../../generated/operations.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'
import type { ExampleRecord, RecordValues } from '../example_records.ts'
import type { FullRunContext, Resource } from '../full_run_context.ts'
import { noteUnsent, sendExamples, type Target } from '../send_examples.ts'
import { idsIn } from '../replacements.ts'

const UNION = 'BlockRequest'

/** Blocks of every type that requests can make. */
export const blocks: Resource = {
  async make(context) {
    for (const block of context.records.of('block')) await recreateBlock(context, block)
  },

  async exercise(context) {
    await sendExamples(context, operations.appendBlockChildren, { target: (body) => parentFor(context, body) })
    await sendExamples(context, operations.updateBlock, { target: (body) => blockFor(context, body) })
    await deleteAndRestore(context)
    noteUnsent(context, [operations.appendBlockChildren], UNION)
  },
}

async function recreateBlock(context: FullRunContext, { id, values }: ExampleRecord): Promise<void> {
  const { replacements, writer, records } = context
  const { parent } = values
  if (replacements.has(id) || !isObject(parent)) return
  const above = parent[String(parent['type'])]
  const container = records.find('block', above)
  if (container && !replacements.has(container.id)) await recreateBlock(context, container)
  if (replacements.has(id)) return
  const place = replacements.of(above)
  const { value: request, missing } = replacements.fill(draftOf(context, id, values))
  if (place === undefined || request === undefined || missing.length > 0) return
  const input = { path: { block_id: place }, body: { children: [request] } }
  const type = String(values['type'])
  const made = await writer.send(operations.appendBlockChildren, input, { name: `a block of type ${type}`, isCertain: true })
  const [first]: unknown[] = made && Array.isArray(made.record['results']) ? made.record['results'] : []
  if (isObject(first)) await note(context, id, String(first['id']))
}

/** Records a new block, and the blocks that were created inside it. */
async function note(context: FullRunContext, id: string, own: string): Promise<void> {
  context.replacements.set(id, own)
  const runRecords = childrenOf(context, id)
  if (runRecords.length === 0) return
  const read = await context.writer.read(operations.listBlockChildren, { path: { block_id: own } })
  const results = read && Array.isArray(read.record['results']) ? read.record['results'].filter(isObject) : []
  for (const [index, child] of results.entries()) {
    const example = runRecords[index]
    if (example) await note(context, example.id, String(child['id']))
  }
}

function childrenOf({ records }: FullRunContext, id: string): readonly ExampleRecord[] {
  return records.of('block').filter(({ values }) => isObject(values['parent']) && values['parent']['block_id'] === id)
}

/** The request that creates a block, with ids of the examples, or undefined. */
function draftOf(context: FullRunContext, id: string, values: RecordValues): unknown {
  const { form } = context
  const type = String(values['type'])
  const content = asUploads(context, values[type])
  const childrenMin = form.childrenMin(UNION, type)
  if (childrenMin === undefined || !isObject(content)) return form.of(UNION, { type, [type]: content })
  const children = childrenOf(context, id).map((child) => draftOf(context, child.id, child.values))
  if (childrenMin > 0 && children.length === 0) return undefined
  // The examples may show fewer children than a new block needs.
  const enough = Array.from({ length: Math.max(childrenMin, children.length) }, (_one, index) => children[index] ?? children[0])
  return form.of(UNION, { type, [type]: { ...content, children: enough } })
}

/** Files of the server in the examples become the uploads of the same name. */
function asUploads({ records, replacements }: FullRunContext, content: unknown): unknown {
  if (!isObject(content) || !isObject(content['file'])) return content
  const { file, ...rest } = content
  const url = String(file['url'])
  const upload = records
    .of('file_upload')
    .find(({ id, values }) => replacements.has(id) && url.includes(String(values['filename'])))
  return upload ? { ...rest, type: 'file_upload', file_upload: { id: upload.id } } : content
}

/** The target of an append in an example: the parent of the block that it comes after, or a block that accepts its children. */
function parentFor(context: FullRunContext, body: unknown): Target | string {
  const { records, replacements, pageId } = context
  const children = isObject(body) && Array.isArray(body['children']) ? body['children'].filter(isObject) : []
  const [afterId] = isObject(body) ? idsIn([body['position'], body['after']]) : []
  const after = records.find('block', afterId)
  const container = children.map(containerOf)[0]
  const place = after && isObject(after.values['parent']) ? after.values['parent'] : undefined
  if (place) return pathTo(replacements.of(place[String(place['type'])]))
  return pathTo(container === undefined ? pageId : ownOfType(context, container))
}

/** Blocks that are allowed only inside blocks of one type. */
const CONTAINERS: Readonly<Record<string, string>> = { column: 'column_list', table_row: 'table' }

function containerOf(child: RecordValues): string | undefined {
  // Only the items of a tab have icons.
  if (isObject(child['paragraph']) && 'icon' in child['paragraph']) return 'tab'
  return CONTAINERS[typeOf(child) ?? '']
}

/** A block of the type that an example changes. */
function blockFor(context: FullRunContext, body: unknown): Target | string {
  const type = isObject(body) ? typeOf(body) : undefined
  return pathTo(ownOfType(context, type ?? 'paragraph'))
}

function typeOf(block: RecordValues): string | undefined {
  return Object.keys(block).find((key) => isObject(block[key]))
}

function ownOfType({ records, replacements }: FullRunContext, type: string): string | undefined {
  const record = records.of('block').find(({ id, values }) => values['type'] === type && replacements.has(id))
  return record && replacements.of(record.id)
}

function pathTo(blockId: string | undefined): Target | string {
  return blockId === undefined ? 'no block of this type was created' : { path: { block_id: blockId } }
}

async function deleteAndRestore(context: FullRunContext): Promise<void> {
  const { writer, pageId } = context
  const children = [{ paragraph: { rich_text: [{ text: { content: 'To be deleted' } }] } }]
  const purpose = { name: 'a block to delete', isCertain: true }
  const made = await writer.send(operations.appendBlockChildren, { path: { block_id: pageId }, body: { children } }, purpose)
  const [first]: unknown[] = made && Array.isArray(made.record['results']) ? made.record['results'] : []
  if (!isObject(first)) return
  const path = { block_id: String(first['id']) }
  await writer.send(operations.deleteBlock, { path }, { name: 'a block', isCertain: true })
  const gone = await writer.read(operations.listBlockChildren, { path: { block_id: pageId }, query: { page_size: '100' } })
  if (gone) {
    const holds = !JSON.stringify(gone.record['results']).includes(`"id":"${path.block_id}"`)
    writer.expect(holds, operations.deleteBlock, gone.response, 'body.results', 'still contains a deleted block')
  }
  await writer.send(operations.updateBlock, { path, body: { in_trash: false } }, { name: 'out of the trash', isCertain: true })
  const back = await writer.read(operations.retrieveBlock, { path })
  if (back)
    writer.expect(
      back.record['in_trash'] === false,
      operations.updateBlock,
      back.response,
      'body.in_trash',
      'is not false after the restore',
    )
}
