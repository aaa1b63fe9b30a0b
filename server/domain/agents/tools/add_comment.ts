import { createComment, draftText, richTextOf } from '../../content/index.ts'
import { writtenText } from './paragraphs.ts'
import { pageName } from './schemas.ts'
import { shortened, writeTool } from './tool.ts'

interface Arguments {
  readonly page: string
  readonly text: string
}

export const addCommentTool = writeTool<'page', Arguments>(
  {
    name: 'add_comment',
    purpose: 'Adds a comment to a page, after a person has approved it.',
    capability: 'insert_comments',
    role: 'comment_only',
    parameters: {
      type: 'object',
      required: ['page', 'text'],
      properties: { page: pageName, text: { ...writtenText, description: 'The comment, as plain text.' } },
      additionalProperties: false,
    },
  },
  'page',
  {
    title: ({ text }, page) => `Comment "${shortened(text)}" on ${shortened(page.title)}`,
    async write(scope, { text }, { id, title, url }) {
      const request = { parent: { page_id: id }, rich_text: richTextOf(text) }
      await createComment(scope, request, await draftText((work) => work(scope), request))
      return { isError: false, content: { id, title, url } }
    },
  },
)
