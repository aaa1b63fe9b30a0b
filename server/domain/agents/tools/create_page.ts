import { createPage, pageUrl } from '../../data/index.ts'
import { richTextOf } from '../../content/index.ts'
import { paragraphsOf, writtenText } from './paragraphs.ts'
import { pageName, pageTitle } from './schemas.ts'
import { shortened, writeTool } from './tool.ts'

interface Arguments {
  readonly title: string
  readonly parent: string
  readonly text?: string
}

export const createPageTool = writeTool<'parent', Arguments>(
  {
    name: 'create_page',
    purpose: 'Creates a page with a title and paragraphs below another page, after a person has approved it.',
    capability: 'insert_content',
    role: 'read_and_write',
    parameters: {
      type: 'object',
      required: ['title', 'parent'],
      properties: {
        title: pageTitle,
        parent: pageName,
        text: { ...writtenText, description: 'The content. Each line becomes a paragraph; at most 1,000 lines.' },
      },
      additionalProperties: false,
    },
  },
  'parent',
  {
    title: ({ title }, parent) => `Create the page ${shortened(title)} under ${shortened(parent.title)}`,
    async write(scope, { title, text }, parent) {
      const { id } = await createPage(
        scope,
        {
          parent: { page_id: parent.id },
          properties: { title: { title: richTextOf(title) } },
          ...(text === undefined ? {} : { children: paragraphsOf(text) }),
        },
        undefined,
        undefined,
      )
      const url = pageUrl(scope.baseUrl, title, id)
      return { isError: false, content: { id, title, url }, artifact: { type: 'page', url, title } }
    },
  },
)
