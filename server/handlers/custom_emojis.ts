import { listCustomEmojis } from '../domain/custom_emojis.ts'
import type { Handlers } from '../contract/call.ts'
import { pageRequest } from './paging.ts'

export const customEmojis = {
  listCustomEmojis: (call) => call.read((scope) => listCustomEmojis(scope, pageRequest(call.query), call.query.name)),
} satisfies Partial<Handlers>
