/** An independent backend: a guest book that stores comments in memory. */

import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { createRouter, ServiceError, type Comment, type CreateCommentRequest } from 'workspace-service/server'

interface Guest {
  readonly id: string
  readonly name: string
}

const guests: ReadonlyMap<string, Guest> = new Map([
  ['Bearer door-key', { id: '8a1f6f5e-3c1d-4f0e-9a57-2b6c1d9e4f30', name: 'Ines' }],
])
const comments = new Map<string, Comment>()

const router = createRouter({
  authenticate: async (request) => guests.get(request.headers.authorization ?? ''),
  handlers: {
    createComment: async ({ body, caller }) => {
      const comment = commentOf(body, caller)
      comments.set(comment.id, comment)
      return comment
    },
    retrieveComment: async ({ path }) => {
      const comment = comments.get(path.comment_id)
      if (!comment) throw new ServiceError('object_not_found', { message: `No comment has the id ${path.comment_id}.` })
      return comment
    },
    listComments: async ({ query }) => {
      const results = [...comments.values()].filter(({ parent }) => 'page_id' in parent && parent.page_id === query.block_id)
      return { object: 'list', type: 'comment', comment: {}, results, has_more: false, next_cursor: null }
    },
  },
})

function commentOf({ parent, markdown = '' }: CreateCommentRequest, guest: Guest): Comment {
  const page_id = parent && 'page_id' in parent ? parent.page_id : guest.id
  const time = new Date().toISOString()
  const annotations = {
    bold: false,
    italic: false,
    strikethrough: false,
    underline: false,
    code: false,
    color: 'default',
  } as const
  return {
    object: 'comment',
    id: randomUUID(),
    parent: { type: 'page_id', page_id },
    discussion_id: randomUUID(),
    created_time: time,
    last_edited_time: time,
    created_by: { object: 'user', id: guest.id },
    rich_text: [{ type: 'text', text: { content: markdown, link: null }, annotations, plain_text: markdown, href: null }],
    display_name: { type: 'user', resolved_name: guest.name },
  }
}

const server = express()
  .use(router)
  .listen(0, '127.0.0.1', () => {
    console.log(`${router.notImplemented.length} operations are still to come`)
    console.log(`listens on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
