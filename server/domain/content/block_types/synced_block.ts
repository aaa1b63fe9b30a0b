import type { SyncedBlockContent, SyncedBlockContentRequest } from '../../../../generated/types.ts'
import { canonicalId } from '../../../kernel/ids.ts'
import type { StoredContent } from '../../../store/blocks.ts'
import { invalid } from '../../shared/index.ts'
import { parseLevel } from '../markdown/parse/parse_state.ts'
import { markdownBlock } from '../markdown/shared/markdown_block.ts'
import { blockAddress } from '../markdown/shared/record_addresses.ts'
import { idOfAddress, writeAttributes, type Tag } from '../markdown/shared/tags.ts'
import { anyChildren, plainBlock, type BlockTypeDefinition } from './block_type.ts'
import { contentOf, type Field } from './content.ts'
import { comparedByName, drafted, enclosingTag, loadsChildren, ownForm, writeContainer } from './markdown_forms.ts'
import type { EnclosingTag } from './markdown_rules.ts'

const syncedFrom: Field<SyncedBlockContentRequest['synced_from'], SyncedBlockContent['synced_from']> = {
  store: (written, path, notes) =>
    written === null ? null : { type: 'block_id', block_id: notes.references.addOriginal(written.block_id, `${path}.block_id`) },
  present: (stored) => stored as SyncedBlockContent['synced_from'],
}

function original(content: StoredContent): string | undefined {
  const from = content['synced_from']
  return typeof from === 'object' && from !== null && 'block_id' in from && typeof from.block_id === 'string'
    ? canonicalId(from.block_id)
    : undefined
}

/** The tag of a synced block. @param alt `copy` for a synced copy, which must refer to its original */
function syncedTag(alt: 'copy' | undefined): EnclosingTag {
  const idOf = (tag: Tag): string | undefined => idOfAddress(tag.attributes.get('url'))
  return enclosingTag(
    (state, { tag, line }, end) => {
      const id = idOf(tag)
      const fields = { ...(id === undefined ? {} : { id }), ...(alt === undefined ? {} : { alt }) }
      return markdownBlock('synced_block', { fields, children: parseLevel(state, 'synced_block', line + 1, end, 0), line })
    },
    { mayStand: (tag) => alt === undefined || idOf(tag) !== undefined },
  )
}

export const syncedBlock: BlockTypeDefinition<'synced_block'> = {
  ...plainBlock,
  content: contentOf<SyncedBlockContentRequest, SyncedBlockContent>({ synced_from: syncedFrom }),
  requireChange({ from, to, path }) {
    if (original(from) !== original(to))
      throw invalid(`${path}.synced_from`, 'should keep its value: a synced block cannot change its original')
  },
  children: { ...anyChildren, areTaken: (content) => content['synced_from'] === null, original },
  markdown: {
    ...ownForm('synced_block', loadsChildren),
    present({ block, children }, view) {
      const { baseUrl, originals } = view.facts
      const id = original(block.content)
      const shown = id === undefined ? block : (originals.get(id) ?? { id, pageId: null })
      const fields = { id: shown.id, url: blockAddress(shown, baseUrl), ...(id === undefined ? {} : { alt: 'copy' }) }
      return markdownBlock('synced_block', { fields, children: view.list(children) })
    },
    write(block, writer, depth) {
      const { alt, url } = block.fields
      const name = alt === 'copy' ? 'synced_block_reference' : 'synced_block'
      writeContainer(name, writeAttributes({ url }), block, writer, depth)
    },
    tags: { synced_block: syncedTag(undefined), synced_block_reference: syncedTag('copy') },
    compare: { ...comparedByName, isOpaque: ({ alt }) => alt === 'copy' },
    draft: {
      ...drafted(({ fields: { alt, id } }, maker) => [
        maker.create('synced_block', { synced_from: alt === 'copy' ? { block_id: id } : null }),
      ]),
      form({ fields: { alt, id = '' } }, { records }) {
        if (alt !== 'copy') return 'block'
        return records.get(id) === 'original' ? 'alone' : 'inside'
      },
      namesRecord: true,
    },
  },
}
