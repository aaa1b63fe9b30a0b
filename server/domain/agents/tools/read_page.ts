import { findReachablePage } from './find_reachable_page.ts'
import { readPageText } from './page_text.ts'
import { pageName } from './schemas.ts'
import { readTool } from './tool.ts'

interface Arguments {
  readonly page: string
}

const ROOM = { blocks: 1_000, characters: 50_000, lists: 300 } as const

export const readPageTool = readTool<Arguments>(
  {
    name: 'read_page',
    purpose: 'Returns the plain text of one page, a line for each block. For a long page, returns the beginning.',
    capability: 'read_content',
    role: 'reader',
    parameters: {
      type: 'object',
      required: ['page'],
      properties: { page: pageName },
      additionalProperties: false,
    },
  },
  async (scope, reach, given) => {
    const found = await findReachablePage(scope, reach, given.page, 'reader')
    if ('refusal' in found) return found.refusal
    const { texts, isWhole } = await readPageText(scope, reach, found.page.id, { ...ROOM }, true)
    return { isError: false, content: { ...found.page, text: texts.join('\n'), is_whole: isWhole } }
  },
)
