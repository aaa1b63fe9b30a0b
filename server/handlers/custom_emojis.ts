import { listCustomEmojis } from '../domain/content/index.ts'
import { read, type Handlers } from './handler.ts'
import { pageRequest } from './paging.ts'

export const customEmojiHandlers = {
  listCustomEmojis: read((scope, call) => listCustomEmojis(scope, pageRequest(call.query), call.query.name)),
} satisfies Partial<Handlers>
