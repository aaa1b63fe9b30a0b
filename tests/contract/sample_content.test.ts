import { describe, expect, it } from 'vitest'
import { operations } from '../../generated/operations.ts'
import { sampleContent, type SampleBlock } from '../../server/bootstrap/sample_content.ts'
import { sharedValidator } from '../../server/contract/contract_validator.ts'
import { ServiceError } from '../../server/kernel/errors.ts'

const validator = sharedValidator()
const PATH = { block_id: '3af9f30c-5a66-4477-bda9-d8c096d38ff5' }

/** Blocks that are stored unchanged, because callers cannot write them. */
const STORED = new Set(['link_preview', 'unsupported', 'meeting_notes', 'child_database'])

/** Children are sent separately, unless the contract requires them with their parent. */
const WITH_CHILDREN = new Set(['table', 'column_list', 'column', 'tab'])

function written(block: SampleBlock): object {
  const children = WITH_CHILDREN.has(block.type) ? { children: (block.children ?? []).map(written) } : {}
  return { type: block.type, [block.type]: { ...block.content, ...children } }
}

function blocksIn(blocks: readonly SampleBlock[]): SampleBlock[] {
  return blocks.flatMap((block) => [block, ...(WITH_CHILDREN.has(block.type) ? [] : blocksIn(block.children ?? []))])
}

const refused = (call: () => unknown): string => {
  try {
    call()
    return 'taken'
  } catch (error) {
    if (error instanceof ServiceError) return error.message
    throw error
  }
}

describe('the content of the demo workspace', () => {
  const all = Object.values(sampleContent('blocks')).flatMap(blocksIn)
  const writable = all.filter(({ type }) => !STORED.has(type))

  it('has blocks of many types, nearly all of which can be sent in requests', () => {
    expect(new Set(writable.map(({ type }) => type)).size).toBeGreaterThan(25)
    expect(all.length - writable.length).toBe(STORED.size)
  })

  it.each(writable.map((block, index) => [`${index + 1}: ${block.type}`, block] as const))(
    'is accepted by appendBlockChildren: block %s',
    (_name, block) => {
      const body = { children: [written(block)] }
      const parts = { path: PATH, query: {}, body }
      expect(refused(() => validator.validate(operations.appendBlockChildren, parts))).toBe('taken')
    },
  )

  it.each(sampleContent('comments').map((comment) => [comment.id, comment] as const))(
    'is accepted by createComment: comment %s',
    (_id, comment) => {
      const parts = { path: {}, query: {}, body: { discussion_id: comment.discussionId, rich_text: comment.text } }
      expect(refused(() => validator.validate(operations.createComment, parts))).toBe('taken')
    },
  )
})
