import { appendBlockChildren } from '../../content/index.ts'
import { paragraphsOf, writtenText } from './paragraphs.ts'
import { pageName } from './schemas.ts'
import { shortened, writeTool } from './tool.ts'

interface Arguments {
  readonly page: string
  readonly text: string
}

export const appendBlocksTool = writeTool<'page', Arguments>(
  {
    name: 'append_blocks',
    purpose: 'Adds paragraphs at the end of a page, after a person has approved them.',
    capability: 'insert_content',
    role: 'read_and_write',
    parameters: {
      type: 'object',
      required: ['page', 'text'],
      properties: {
        page: pageName,
        text: { ...writtenText, description: 'Each line becomes a paragraph; at most 1,000 lines.' },
      },
      additionalProperties: false,
    },
  },
  'page',
  {
    title: ({ text }, page) => `Append "${shortened(text)}" to ${shortened(page.title)}`,
    async write(scope, { text }, { id, title, url }) {
      await appendBlockChildren(scope, id, { children: paragraphsOf(text) })
      return { isError: false, content: { id, title, url }, artifact: { type: 'page', url, title } }
    },
  },
)
