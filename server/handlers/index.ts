import type { Handlers } from '../contract/call.ts'
import { blocks } from './blocks.ts'
import { customEmojis } from './custom_emojis.ts'
import { pages } from './pages.ts'
import { users } from './users.ts'

/** Every operation of the contract that works. The rest is in `pending.ts`; an operation in neither does not compile. */
export const handlers: Handlers = { ...blocks, ...customEmojis, ...pages, ...users }
